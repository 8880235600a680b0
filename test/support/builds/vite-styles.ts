import { text } from 'node:stream/consumers';
import queries from '@tailwindcss/container-queries';
import forms from '@tailwindcss/forms';
import tailwind from '@tailwindcss/vite';
import animate from 'tailwindcss-animate';
import { viteBuild } from './vite-build.ts';

/** What standard input has, as JSON. */
interface Input {
  readonly files: Readonly<Record<string, string>>;
  /** For Tailwind 3, which gets plugins as well; without it, the project has Tailwind 4. */
  readonly tailwind3?: object;
}

/** Prints the style sheet of a project as Vite builds it. A process of its own, because Vite does not work in Jest's modules. */
const { files, tailwind3 } = JSON.parse(await text(process.stdin)) as Input;
const project = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
const built = await (tailwind3
  ? viteBuild({ files: project, tailwind3: { ...tailwind3, plugins: [animate, forms, queries] } })
  : viteBuild({ files: project, plugins: [tailwind()] }));
for (const [path, content] of built) {
  if (path.endsWith('.css')) {
    process.stdout.write(content);
  }
}
