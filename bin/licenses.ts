import { writeFileSync } from 'node:fs';
import { licensesDocument } from './licenses/document.ts';
import { lockedPackages, shippedPackages } from './licenses/shipped.ts';

/** Writes docs/licenses.md. */
writeFileSync('docs/licenses.md', licensesDocument(shippedPackages(), lockedPackages('package-lock.json')));
console.log('Wrote docs/licenses.md');
