import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { PACKAGES, ROOMS } from './rooms.ts';

/** Clauses of imports and re-exports, at the start of a line, where Biome's formatter puts them; and `import()`, of types too. */
const IMPORT = /^(?:import|export)\b[\w\s{},*$]*?(?:\bfrom\s*)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;

interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  /** Path in the repository; undefined for a package. */
  readonly target: string | undefined;
}

/** Folders of installed or generated files, at any depth. */
const GENERATED = ['node_modules', 'dist', 'cdk.out'];

/** Folders that may import development dependencies; and packages that modules import which the code writes. */
const DEVELOPMENT = ['bench', 'evaluate'];
const WRITTEN = ['react', 'solid-js'];

const files = globSync('*/**/*.{ts,tsx}', {
  exclude: (path) => GENERATED.includes(basename(path)) || basename(path).startsWith('.'),
}).map((file) => file.replaceAll('\\', '/'));
const imports = files.flatMap(importsOf);
const packages = JSON.parse(readFileSync('package.json', 'utf8'));
const faults = [...files.flatMap(lacksRoom), ...imports.flatMap(faultOf), ...imports.flatMap(undeclared), ...cycles()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return Array.from(text.matchAll(IMPORT), (match) => {
    const specifier = match[1] ?? match[2] ?? '';
    const line = text.slice(0, match.index).split('\n').length;
    const isFile = specifier.startsWith('.');
    return { file, line, specifier, target: isFile ? posix.join(file, '..', specifier) : undefined };
  });
}

/** `test/` may import everything. */
function lacksRoom(file: string): string[] {
  return file.startsWith('test/') || roomOf(file) !== undefined
    ? []
    : [`${file}:1 is in no room: add it to bin/rooms.ts`];
}

/** Returns the error of an import that its room must not make, otherwise nothing. */
function faultOf({ file, line, specifier, target }: Import): string[] {
  const room = roomOf(file);
  if (room === undefined) return [];
  const isAllowed = target === undefined ? mayUse(room, specifier) : mayImport(room, target);
  if (isAllowed) return [];
  return [`${file}:${line} ${room} must not import ${target ?? specifier}. ${ROOMS[room]?.why}`];
}

function mayUse(room: string, name: string): boolean {
  if (name.startsWith('node:')) return true;
  if (ROOMS[room]?.noPackages) return false;
  const limited = Object.entries(PACKAGES).find(([beginning]) => name.startsWith(beginning));
  return limited === undefined || limited[1].includes(room);
}

/** Returns the error of an import whose package package.json does not declare for that folder, otherwise nothing. */
function undeclared({ file, line, specifier, target }: Import): string[] {
  const name = /^(?:@[\w.-]+\/)?[a-z][\w.-]*/.exec(specifier)?.[0];
  if (isIn(file, 'test') || target !== undefined || name === undefined || WRITTEN.includes(name)) return [];
  if (specifier.startsWith('node:') || name === packages.name) return [];
  const isDevelopment = DEVELOPMENT.some((folder) => isIn(file, folder));
  const declared = { ...packages.dependencies, ...(isDevelopment && packages.devDependencies) };
  if (name in declared || `@types/${name}` in packages.devDependencies) return [];
  return [`${file}:${line} imports ${name}, which package.json does not declare for this folder`];
}

/** An entry that is a room means that room; any other folder, all that is in it. */
function mayImport(room: string, target: string): boolean {
  const other = roomOf(target);
  if (other === room) return true;
  const entries = ROOMS[room]?.imports ?? [];
  return entries.some((entry) => entry === other || (!(entry in ROOMS) && isIn(target, entry)));
}

/** Returns the deepest room of a path. */
function roomOf(path: string): string | undefined {
  const around = Object.keys(ROOMS).filter((room) => isIn(path, room));
  return around.toSorted((a, b) => b.length - a.length)[0];
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns the cycles of imports, each found once. */
function cycles(): string[] {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`${file}:1 imports itself: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const { target } of targets.get(file) ?? []) {
      if (target !== undefined) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}
