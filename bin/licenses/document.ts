import type { ShippedPackage } from './shipped.ts';

/** Returns the text of docs/licenses.md. @param installed what `npm ci --omit=dev` installs */
export function licensesDocument(
  shipped: Readonly<Record<string, readonly ShippedPackage[]>>,
  installed: readonly ShippedPackage[],
): string {
  return [
    '# Licenses',
    INTRODUCTION,
    '## What a stage and ptp contain',
    table(['package', 'version', 'license', 'in'], shippedRows(shipped)),
    installedSection(installed),
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `<!-- Written by npm run licenses: change bin/licenses/ instead. -->
This project is under the [Apache License 2.0](../LICENSE). \`npm run licenses\` reads what is bundled, by the modules that esbuild puts into
each part, and writes this page; a test compares every license with those that are allowed.

- *pages*: what the console and the reference contain. Everyone who opens them gets a copy, so the service has the licenses at \`/licenses.txt\`.
- *functions* and *beside the functions* run in your account; \`@sparticuz/chromium\` has a build of Chromium.
- *ptp* is bundled by \`npm ci\`, beside the packages and their licenses in \`node_modules\`.
- \`client.js\` contains nothing of others.`;

export function installedSection(installed: readonly ShippedPackage[]): string {
  return [
    '## What `npm ci --omit=dev` installs',
    'Including the packages above, the tools that deploy, and native packages for other platforms.',
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
