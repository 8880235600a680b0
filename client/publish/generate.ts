import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFile, PATHS, ROOT } from './generated.ts';

for (const path of PATHS) writeFileSync(join(ROOT, path), generateFile(path));
