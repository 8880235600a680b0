import { type BuildContext, splitQuery } from './context.ts';
import { type Page, readPage } from './page.ts';

/** Style sheets of a project without a page, in order of precedence. */
const GLOBAL_SHEETS = ['globals.css', 'global.css', 'index.css', 'styles.css', 'App.css'];
const FOLDERS = ['', 'app/', 'src/', 'src/app/', 'styles/', 'src/styles/'];
const CLASS_NAMES = /\bclassName\s{0,9}=/;

/** Returns a page that mounts the default export of a component. */
export function lonePage(component: string, { project, sheets }: BuildContext): Page {
  const main = 'index.html?component';
  const page = readPage('index.html', Buffer.from(html(component)), project);
  const sheet = FOLDERS.flatMap((folder) => GLOBAL_SHEETS.map((name) => folder + name)).find((path) =>
    project.has(path),
  );
  const lines = [
    `import { createElement } from 'react';`,
    `import { createRoot } from 'react-dom/client';`,
    `import Component from ${JSON.stringify(`/${component}`)};`,
    `createRoot(document.getElementById('root')).render(createElement(Component));`,
  ];
  if (sheet !== undefined) {
    lines.unshift(`import ${JSON.stringify(`/${sheet}`)};`);
  } else if (usesClassNames(project)) {
    sheets.set(page.entry.id, { path: 'index.html', css: '@import "tailwindcss";' });
  }
  const scripts = new Map([
    [main, lines.join('\n')],
    [page.entry.id, `import ${JSON.stringify(main)};`],
  ]);
  return { ...page, scripts };
}

function usesClassNames(project: BuildContext['project']): boolean {
  return [...project].some(
    ([path, content]) =>
      /\.[jt]sx$/.test(splitQuery(path).path) && CLASS_NAMES.test(Buffer.from(content).toString()),
  );
}

function html(component: string): string {
  const title = /([^/]+)\.\w+$/.exec(component)?.[1] ?? 'App';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${title.replace(/[<>&]/g, '')}</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module"></script>
  </body>
</html>
`;
}
