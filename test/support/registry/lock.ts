import { folderOf, type LockEntry, lockEntries, nameOfFolder } from './installed.ts';

/**
 * Returns a package-lock.json (version 3) for installed packages, with all that they need.
 * @param roots the name under which a package is installed by the name in the project, such as `{ react: 'react18' }`
 * @param integrityOf a version's integrity at the registry of the test
 */
export async function lockFile(
  roots: Readonly<Record<string, string>>,
  integrityOf: (name: string, version: string) => Promise<string>,
): Promise<string> {
  const installed = lockEntries();
  const packages: Record<string, LockEntry> = {
    '': {
      name: 'project',
      version: '0.0.0',
      dependencies: Object.fromEntries(Object.keys(roots).map((name) => [name, '*'])),
    },
  };
  const queue = Object.entries(roots).map(([name, alias]) => [`node_modules/${name}`, folderOf(alias)] as const);
  for (const [path, folder] of queue) {
    const entry = installed[folder];
    if (packages[path] || !entry?.version) continue;
    const name = entry.name ?? nameOfFolder(folder);
    const integrity = await integrityOf(name, entry.version);
    packages[path] = {
      ...entry,
      integrity,
      resolved: `https://registry.invalid/${name}/-/x-${entry.version}.tgz`,
    };
    for (const needed of Object.keys({ ...entry.dependencies, ...entry.peerDependencies })) {
      const source = sourceOf(needed, folder);
      if (source === undefined) continue;
      const isNested = source.startsWith(`${folder}/`);
      queue.push([isNested ? `${path}/node_modules/${needed}` : `node_modules/${needed}`, source]);
    }
  }
  return JSON.stringify({ name: 'project', lockfileVersion: 3, requires: true, packages }, null, 2);
}

/** The folder that `require` finds from a folder. */
function sourceOf(name: string, folder: string): string | undefined {
  for (let from = folder; ; from = from.slice(0, from.lastIndexOf('/node_modules/'))) {
    const source = `${from}/node_modules/${name}`;
    if (lockEntries()[source]) return source;
    if (!from.includes('/node_modules/')) break;
  }
  return lockEntries()[`node_modules/${name}`] && `node_modules/${name}`;
}
