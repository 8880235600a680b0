/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** A project that builds, without packages. */
export const WORKING: Files = {
  'index.html': '<title>Works</title><div id="root"></div><script type="module" src="/src/main.ts"></script>',
  'src/main.ts': "import { greet } from './greet';\n\ndocument.body.append(greet('world'));\n",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  'src/greet.ts': 'export const greet = (name: string) => `Hello ${name}`;\n',
};
