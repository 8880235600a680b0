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

/** Identifiers as editors use them; what belongs to each is linguist's. The first that claims a name has it. */
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
  // Last: linguist lists the many extensions that some format in XML has, .ts and .rs among them.
  xml: XML,
};

const BY_NAME = new Map<string, string>([['.jsx', 'javascriptreact']]);
for (const [id, { extensions = [], filenames = [] }] of Object.entries(LANGUAGES)) {
  for (const name of [...extensions, ...filenames]) if (!BY_NAME.has(name)) BY_NAME.set(name, id);
}

/** The language label of a file by its path: `src/app.ts` is `typescript`; `plaintext` when unknown. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  return BY_NAME.get(name) ?? BY_NAME.get(extension) ?? 'plaintext';
}
