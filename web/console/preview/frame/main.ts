import type { FrameMessage, PreviewStart } from '../messages.ts';
import { previewData } from './data.ts';
import { installLinks } from './links.ts';
import { installLiveReferences, renderPage } from './markup.ts';
import { PreviewSite } from './preview-site.ts';
import { watchProblems } from './problems.ts';
import { Resources } from './resources.ts';
import { installShims, installStorage, type Page } from './shims.ts';

/** Shows a page of a project in place of this document. From then on, this window belongs to the project. */
function show(start: PreviewStart, send: (message: FrameMessage) => void): void {
  const { url, local, session } = start;
  const data = previewData(start, location.origin, (saved) => send({ type: 'data', data: saved }));
  const project = new PreviewSite(data?.files ?? start.files, location.origin);
  const pageUrl = new URL(url, location.origin).href;
  const file = project.pageAt(new URL(pageUrl)) ?? '';
  const missing: string[] = [];
  let report = (message: string): void => {
    missing.push(message);
  };
  const resources = new Resources(project, (path, by) => {
    const user = project.fileAt(new URL(by)) ?? file;
    report(`${user}: ${path} is not a file of the project`);
  });
  const rendered = renderPage(project.text(file), file, pageUrl, resources);
  const page: Page = {
    url: pageUrl,
    resources,
    data,
    open: (to) => send({ type: 'open', url: to }),
    moved: (to) => send({ type: 'moved', url: to }),
  };
  // It removes all listeners, so it comes first.
  document.open();
  report = watchProblems({ project, page: file }, (message) => send({ type: 'problem', message }));
  for (const message of missing) report(message);
  installShims(page);
  installStorage(local, session, (items, ofSession) => send({ type: 'stored', local: items, session: ofSession }));
  installLiveReferences(page);
  addEventListener('load', () => {
    if (location.hash !== '') document.getElementById(decodeURI(location.hash.slice(1)))?.scrollIntoView();
    send({ type: 'ready' });
  });
  // Last, so that handlers of the page come first, wherever they are.
  addEventListener('DOMContentLoaded', () => installLinks(page, report));
  document.write(rendered);
  document.close();
}

function begin(event: MessageEvent<PreviewStart>): void {
  const [port] = event.ports;
  // `location` has the origin of the URL, and only pages of that origin may be around this one.
  if (event.source !== parent || event.origin !== location.origin || port === undefined) return;
  removeEventListener('message', begin);
  show(event.data, port.postMessage.bind(port));
}

// Only in the sandbox of a frame: files of strangers must not run with the origin of the service.
if (self.origin === 'null' && parent !== window) addEventListener('message', begin);
