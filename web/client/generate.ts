import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED, ROOT } from './generated.ts';

for (const [path, content] of GENERATED) writeFileSync(join(ROOT, path), content());
