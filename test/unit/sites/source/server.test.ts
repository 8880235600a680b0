import { serverOf } from '../../../../lambda/sites/source/server.ts';
import { testRows } from '../../../support/rows.ts';

const HTTP = `import { createServer } from 'node:http';\n`;

testRows<[files: Readonly<Record<string, string>>, path: string, answers: boolean]>([
  [{ 'server.js': `${HTTP}if (path === '/api/messages') list();` }, 'api/messages', true],
  [{ 'server.js': `${HTTP}const MESSAGES = '/api/messages';` }, 'api/messages/7', true],
  [{ 'server.js': `${HTTP}const ROUTE = /^\\/api\\/(\\w+)$/;` }, 'api/messages', true],
  [{ 'server.js': `${HTTP}import './server/routes.js';`, 'server/routes.js': `on('/votes')` }, 'votes', true],
  [{ 'server.cjs': `const app = require('express')(); app.get('/votes', list);` }, '/votes', true],
  [{ 'app.py': `@app.route("/votes")` }, 'votes', true],
  [{ 'server.js': `${HTTP}on('/voters');` }, 'votes', false],
  [{ 'server.js': `${HTTP}on('/src/');` }, 'src/missing.js', false],
  [{ 'server.js': `${HTTP}on('/api/');` }, 'api/report.csv', true],
  // Only a page asks for it.
  [{ 'server.js': HTTP, 'app.js': `fetch('/api/messages')` }, 'api/messages', false],
  [{ 'app.js': `fetch('/api/messages')` }, 'api/messages', false],
])('reports if a program of the project may answer a path', (files, path, answers) => {
  expect(serverOf(new Map(Object.entries(files)))(path)).toBe(answers);
});
