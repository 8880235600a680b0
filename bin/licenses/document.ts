import type { ShippedPackage } from './shipped.ts';

/** Returns the text of docs/licenses.md. @param installed the packages that `npm ci --omit=dev` installs */
export function licensesDocument(
  shipped: Readonly<Record<string, readonly ShippedPackage[]>>,
  installed: readonly ShippedPackage[],
): string {
  return [
    '# Licenses',
    INTRODUCTION,
    '## Packages in a stage and in ptp',
    table(['package', 'version', 'license', 'in'], shippedRows(shipped)),
    installedSection(installed),
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `<!-- Written by npm run licenses: change bin/licenses/ instead. -->
This project is licensed under the [Apache License 2.0](../LICENSE). \`npm run licenses\` lists the packages of all modules that esbuild bundles
into each part, and writes this page; a test checks every license against the allowed ones.

- *pages*: the console and the reference. Everyone who opens them gets a copy, so the service publishes the licenses at \`/licenses.txt\`.
- *functions* and *beside the functions* run in your account; \`@sparticuz/chromium\` contains a build of Chromium.
- *ptp* is bundled by \`npm ci\`, beside the packages and their licenses in \`node_modules\`.
- \`client.js\` contains no third-party code.`;

export function installedSection(installed: readonly ShippedPackage[]): string {
  return [
    '## Packages that `npm ci --omit=dev` installs',
    'These include the packages above, the tools for deployments, and native packages for other platforms.',
    table(['license', 'packages'], installedRows(installed)),
  ].join('\n\n');
}

function shippedRows(shipped: Readonly<Record<string, readonly ShippedPackage[]>>): string[][] {
  const rows = new Map<string, { one: ShippedPackage; parts: string[] }>();
  for (const [part, packages] of Object.entries(shipped))
    for (const one of packages) {
      const key = `${one.name} ${one.version}`;
      const row = rows.get(key) ?? { one, parts: [] };
      if (!row.parts.includes(part)) row.parts.push(part);
      rows.set(key, row);
    }
  return [...rows]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([, { one, parts }]) => [one.name, one.version, one.license, parts.join(', ')]);
}

function installedRows(installed: readonly ShippedPackage[]): string[][] {
  const byLicense = Object.groupBy(installed, ({ license }) => license || 'none stated');
  return Object.entries(byLicense)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([license, packages = []]) => {
      const names = new Set(packages.map(({ name }) => name));
      return [license, [...names].toSorted((a, b) => a.localeCompare(b, 'en')).join(', ')];
    });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
