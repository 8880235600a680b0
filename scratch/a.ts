import { bundleStyles, cssModule } from '../lambda/builds/languages/styles.ts';
import { readProjectConfig } from '../lambda/builds/config/project-config.ts';
export const filesOf = (o: Record<string,string>) => new Map(Object.entries(o).map(([p, t]) => [p, new TextEncoder().encode(t)]));
export const none = { files: new Map(), versions: new Map(), resolve: () => undefined };
export async function build(o: Record<string,string>, paths: string[], minify = false) {
  const project = filesOf(o); const config = readProjectConfig(project); const warnings: any[] = [...config.warnings];
  try { const css = await bundleStyles(paths.map(path => ({ path, css: o[path]! })), { project, packages: none, config, asset: (p) => 'A/' + p, minify, warn: (w) => warnings.push(w) });
  return { css, warnings }; } catch (e: any) { return { e: e.problems ?? e, warnings }; }
}
if (process.argv[1]!.endsWith('a.ts')) {
console.log(await build({ 'src/a.css': '@charset "utf-8"; @import "./b.css" layer(x) supports(display: grid) screen; @import url("https://fonts.x/y?a;b") print; a { background: url(./i.png) url("/p.png?x#y"), url(data:1), url(missing.png); b: image-set("i.png" 1x); &:hover { color: red } }', 'src/b.css': '@import "a.css"; @import "b.css"; .b { background: url(../src/i.png) }', 'src/i.png': '', 'public/p.png': '' }, ['src/a.css']));
console.log(await build({ 'src/a.css': '@import "tailwindcss"; @import "tw-animate-css"; @plugin "@tailwindcss/typography"; @theme { --color-brand: #123456 } .x { @apply p-2 bg-brand; }', 'src/App.tsx': '<div className="flex p-4 animate-in prose bg-[url(/p.png)]">', 'public/p.png': ''  }, ['src/a.css'], true).then(x => ({...x, css: x.css?.slice(0, 300) + ' … ' + x.css?.slice(-300)})));
console.log(await build({ 'src/a.css': '@tailwind base; @tailwind components; @tailwind utilities; .x { @apply p-2 bg-brand; }', 'tailwind.config.js': 'import a from "tailwindcss-animate"; import d from "tailwindcss/defaultTheme"; export default { content: ["./src/**/*.{ts,tsx}"], theme: { extend: { colors: { brand: "#123456" }, fontFamily: { sans: ["Inter", ...d.fontFamily.sans] }, typography: ({theme}) => ({ DEFAULT: { css: { color: theme("colors.brand") } } }) } }, plugins: [a, require("@tailwindcss/typography"), foo()] }', 'src/App.tsx': '<div className="flex p-4 animate-in prose font-sans bg-[url(/p.png)]">', 'public/p.png': ''  }, ['src/a.css'], true).then(x => ({...x, css: x.css?.slice(0, 300) + ' … ' + x.css?.slice(-300)})));
console.log(cssModule('src/a.module.css', '.title { composes: base from "./b.module.css"; color: red } .a-b { } .default { x: y } .title:hover :global(.x) { animation: k 1s } @keyframes k { }'));
}
