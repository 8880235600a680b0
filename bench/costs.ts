import { writeFileSync } from 'node:fs';
import { costsDocument, STAGE } from './costs/document.ts';
import { measure } from './costs/measure.ts';
import { MEASURED_FILE, readMeasured } from './costs/measured.ts';

/** With `--document`, writes the document from the last measurement, without another one. */
const measured = process.argv.includes('--document') ? readMeasured() : await measure();
writeFileSync(MEASURED_FILE, `${JSON.stringify(measured, null, 2)}\n`);
writeFileSync(new URL('../docs/costs.md', import.meta.url), costsDocument(STAGE, measured));
console.log('Wrote docs/costs.json and docs/costs.md');
