import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
/* #from10min */
import { logAccess } from './src/access-log.js';
/* /from10min */
import { handle } from './src/api.js';
/* #from10min */
import { createGuard } from './src/guard.js';
/* /from10min */
import { HttpError, sendJson } from './src/http.js';

const PAGES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/base.css': ['base.css', 'text/css; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
  '/theme.js': ['theme.js', 'text/javascript; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  /* #from5min */
  '/openapi.json': ['openapi.json', 'application/json; charset=utf-8'],
  /* /from5min */
};
/* #from10min */
const guard = createGuard({ key: process.env.API_KEY, perMinute: Number(process.env.RATE_LIMIT ?? 300) });
/* /from10min */

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const page = PAGES[url.pathname];
  /* #from10min */
  if (!page) guard(request);
  /* /from10min */
  if (!page) return handle(request, response, url);
  const [file, type] = page;
  response.writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff' });
  response.end(await readFile(new URL(file, import.meta.url)));
}

const server = createServer(async (request, response) => {
  /* #from10min */
  logAccess(request, response);
  /* /from10min */
  try {
    await answer(request, response);
  } catch (error) {
    if (!(error instanceof HttpError)) console.error(error);
    const { status, message, headers } = error instanceof HttpError ? error : new HttpError(500, 'Something went wrong');
    sendJson(response, status, { error: message }, headers);
  }
});

server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`Listening on http://localhost:${server.address().port}`);
});
