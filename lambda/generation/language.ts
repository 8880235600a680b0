/** File extensions by the language identifiers of editors. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  html: 'html htm xhtml',
  css: 'css',
  scss: 'scss',
  less: 'less',
  javascript: 'js mjs cjs',
  javascriptreact: 'jsx',
  typescript: 'ts mts cts',
  typescriptreact: 'tsx',
  vue: 'vue',
  svelte: 'svelte',
  json: 'json jsonl webmanifest geojson topojson har',
  markdown: 'md markdown',
  svg: 'svg',
  xml: 'xml xsd rss gpx kml',
  yaml: 'yaml yml',
  toml: 'toml',
  ini: 'ini cfg properties',
  csv: 'csv',
  sql: 'sql',
  graphql: 'graphql gql graphqls',
  python: 'py pyi pyw',
  shellscript: 'sh bash zsh',
  powershell: 'ps1 psm1',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt kts',
  swift: 'swift',
  dart: 'dart',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  csharp: 'cs',
  php: 'php',
  ruby: 'rb',
  perl: 'pl pm',
  lua: 'lua',
  r: 'r',
};

/** Languages of files that are known by their whole name. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['Dockerfile', 'dockerfile'],
  ['Containerfile', 'dockerfile'],
  ['Makefile', 'makefile'],
  ['makefile', 'makefile'],
  ['GNUmakefile', 'makefile'],
  ['Gemfile', 'ruby'],
  ['Rakefile', 'ruby'],
  ['Pipfile', 'toml'],
  ['Cargo.lock', 'toml'],
  ['poetry.lock', 'toml'],
  ['composer.lock', 'json'],
  ['flake.lock', 'json'],
  ['.bashrc', 'shellscript'],
]);

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension): [string, string] => [`.${extension}`, language]),
  ),
);

/** Returns the language of a file by its path: `typescript` for `src/app.ts`, `plaintext` if unknown. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  return BY_NAME.get(name) ?? BY_EXTENSION.get(extension) ?? 'plaintext';
}
