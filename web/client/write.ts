import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypes } from './types.ts';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

writeFileSync(join(root, 'client/types.ts'), clientTypes());
spawnSync(process.execPath, [biome, 'format', '--write', 'client/types.ts'], { cwd: root, stdio: 'inherit' });
