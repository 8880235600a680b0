import {
  C,
  'C++' as Cpp,
  'C#' as CSharp,
  CSS,
  CSV,
  Dart,
  Dockerfile,
  Go,
  GraphQL,
  HTML,
  INI,
  Java,
  JavaScript,
  JSON as Json,
  Kotlin,
  Less,
  Lua,
  Makefile,
  Markdown,
  Perl,
  PHP,
  PowerShell,
  Python,
  R,
  Ruby,
  Rust,
  SCSS,
  Shell,
  SQL,
  SVG,
  Svelte,
  Swift,
  TOML,
  TSX,
  TypeScript,
  Vue,
  XML,
  YAML,
} from 'linguist-languages';

interface Language {
  readonly extensions?: readonly string[];
  readonly filenames?: readonly string[];
}

/** Editors' language identifiers with linguist's extensions and file names. The first language with a name gets it. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  html: HTML,
  css: CSS,
  javascript: JavaScript,
  typescript: TypeScript,
  typescriptreact: TSX,
  json: Json,
  markdown: Markdown,
  python: Python,
  shellscript: Shell,
  yaml: YAML,
  toml: TOML,
  ini: INI,
  svg: SVG,
  vue: Vue,
  svelte: Svelte,
  scss: SCSS,
  less: Less,
  sql: SQL,
  graphql: GraphQL,
  go: Go,
  rust: Rust,
  java: Java,
  kotlin: Kotlin,
  swift: Swift,
  dart: Dart,
  c: C,
  cpp: Cpp,
  csharp: CSharp,
  php: PHP,
  ruby: Ruby,
  perl: Perl,
  lua: Lua,
  r: R,
  powershell: PowerShell,
  dockerfile: Dockerfile,
  makefile: Makefile,
  csv: CSV,
  // Last, because linguist lists the extensions of many XML formats here, such as .ts and .rs.
  xml: XML,
};

const BY_NAME = new Map<string, string>([['.jsx', 'javascriptreact']]);
for (const [id, { extensions = [], filenames = [] }] of Object.entries(LANGUAGES)) {
  for (const name of [...extensions, ...filenames]) if (!BY_NAME.has(name)) BY_NAME.set(name, id);
}

/** Returns the language of a file by its path: `typescript` for `src/app.ts`, `plaintext` if unknown. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  return BY_NAME.get(name) ?? BY_NAME.get(extension) ?? 'plaintext';
}
