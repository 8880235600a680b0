import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import queries from '@tailwindcss/container-queries';
import forms from '@tailwindcss/forms';
import tailwind4 from '@tailwindcss/vite';
import animate from 'tailwindcss-animate';
import tailwind3 from 'tailwindcss3';
import { build } from 'vite';

/** What standard input has, as JSON. */
interface Input {
  readonly files: Readonly<Record<string, string>>;
  /** The configuration of Tailwind 3, which gets plugins as well; without it, the project has Tailwind 4. */
  readonly tailwind3?: object;
}

/** Prints the style sheet of a project as Vite builds it. A process of its own, because Vite does not work in Jest's modules. */
const input = JSON.parse(await text(process.stdin)) as Input;
const root = mkdtempSync(join(tmpdir(), 'ptp-vite-'));
try {
  for (const [path, content] of Object.entries(input.files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
  const content = [join(root, 'index.html'), join(root, 'src/**/*.{js,jsx,ts,tsx}')];
  const config = { ...input.tailwind3, content, plugins: [animate, forms, queries] };
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: input.tailwind3 ? [] : [tailwind4()],
    css: { postcss: { plugins: input.tailwind3 ? [tailwind3(config)] : [] } },
    build: { write: false },
  });
  const { output } = [built].flat()[0] as { output: { fileName: string; source?: string | Uint8Array }[] };
  const sheet = output.find(({ fileName }) => fileName.endsWith('.css'));
  process.stdout.write(sheet?.source ?? '');
} finally {
  rmSync(root, { recursive: true, force: true });
}
