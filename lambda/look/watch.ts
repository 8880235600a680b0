import type { CDPSession } from 'playwright-core';
import { framesOf, textOfError, textOfLog } from './messages.ts';
import type { Frame, Place } from './places.ts';
import type { Tab } from './tab.ts';

/** What browsers without a person, a camera, a speaker or a network refuse: no fault of a page that does not catch it. */
const REFUSED =
  /\b(?:AbortError|NotAllowedError|NotReadableError|SecurityError: .{0,200}(?:permission|gesture))\b|Requested device not found|has no supported source/;
const NO_ANSWER = /Failed to fetch|NetworkError|Failed to load|Load failed|ERR_|dynamically imported module/;
/** Sources of messages of the browser itself. Failed requests are recorded as what they are. */
const SAID = ['javascript', 'security', 'rendering', 'other', 'worker', 'xml'];

/** Records what goes wrong on a page, from its first request. */
export async function watch(tab: Tab, cdp: CDPSession): Promise<void> {
  watchRequests(tab, cdp);
  watchScripts(tab, cdp);
  const { page } = tab;
  page.on('dialog', (dialog) => {
    tab.onDialog(dialog.type());
    const text = dialog.type() === 'prompt' ? dialog.defaultValue() || 'Test' : undefined;
    void dialog.accept(text).catch(() => undefined);
  });
  page.on('crash', () => tab.end('The page ends its process, as if it took all memory'));
  const domains = ['Page', 'Runtime', 'Log', 'Network', 'Debugger'] as const;
  await Promise.all(domains.map((domain) => cdp.send(`${domain}.enable`)));
}

function watchScripts(tab: Tab, cdp: CDPSession): void {
  const { places } = tab;
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    const message = textOfError(exceptionDetails);
    const frames = framesOf(exceptionDetails);
    tab.later(exceptionDetails.exceptionId, () => errorOf(tab, message, places.placeOf(frames)));
  });
  // A rejection that a page handles later is handled.
  cdp.on('Runtime.exceptionRevoked', ({ exceptionId }) => tab.never(exceptionId));
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    if (type !== 'error' && type !== 'assert') return;
    logOf(tab, textOfLog(args), places.placeOf(stackTrace?.callFrames ?? []));
  });
  cdp.on('Log.entryAdded', ({ entry: { level, source, text, url, lineNumber, stackTrace } }) => {
    if (level !== 'error' || !SAID.includes(source)) return;
    const frames: Frame[] = [...(stackTrace?.callFrames ?? [])];
    if (url !== undefined) frames.push(frameAt(url, lineNumber));
    logOf(tab, text, places.placeOf(frames));
  });
  cdp.on('Debugger.paused', () => void cdp.send('Debugger.resume').catch(() => undefined));
}

function errorOf(tab: Tab, message: string, place: Place | undefined): Parameters<Tab['add']>[0] | undefined {
  if (REFUSED.test(message)) return undefined;
  const [elsewhere] = tab.refused;
  if (elsewhere === undefined) return { kind: 'error', message, ...place, blocking: true };
  if (NO_ANSWER.test(message)) {
    const why = `The page does not handle that ${elsewhere} may be out of reach: ${message}`;
    return { kind: 'left', message: why, ...place };
  }
  return { kind: 'error', message: `${message} (${elsewhere} was not loaded)`, ...place };
}

function logOf(tab: Tab, message: string, place: Place | undefined): void {
  if (REFUSED.test(message)) return;
  const isOfNetwork =
    tab.refused.size > 0 && (NO_ANSWER.test(message) || /https?:\/\//.test(tab.named(message)));
  if (!isOfNetwork) tab.add({ kind: 'console', message: `Console: ${message}`, ...place });
}

function watchRequests(tab: Tab, cdp: CDPSession): void {
  const { places, requests } = tab;
  const initiators = new Map<string, { readonly frames: readonly Frame[]; readonly method: string }>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request, initiator, type, frameId }) => {
    if (!/^https?:/.test(request.url)) return;
    requests.add(requestId);
    const frames: Frame[] = [...(initiator.stack?.callFrames ?? [])];
    if (initiator.url !== undefined) frames.push(frameAt(initiator.url, initiator.lineNumber));
    initiators.set(requestId, { frames, method: request.method });
    if (places.isHome(request.url)) return;
    if (type === 'Document') {
      if (frameId === tab.frame) tab.onLeave(request.url, places.placeOf(frames));
    } else if (type === 'Script' || type === 'Fetch' || type === 'XHR')
      tab.refused.add(request.url.slice(0, 200));
  });
  cdp.on('Network.responseReceived', ({ requestId, type, response: { url, status } }) => {
    const { frames = [], method = 'GET' } = initiators.get(requestId) ?? {};
    if (!places.isHome(url) || method === 'HEAD' || /\/favicon\.ico$/.test(url)) return;
    const isFallback = type === 'Document' && /\.\w+$/.test(new URL(url).pathname) && !places.fileOf(url);
    if (status !== 404 && !(isFallback && status === 200)) return;
    missing(tab, url, type === 'Script', places.placeOf(frames));
  });
  for (const event of ['Network.loadingFinished', 'Network.loadingFailed'] as const)
    cdp.on(event, ({ requestId }) => requests.delete(requestId));
  cdp.on('Page.frameNavigated', ({ frame: { id, parentId } }) => {
    if (parentId !== undefined) return;
    tab.frame = id;
    tab.onDocument();
  });
}

/** Records a file that does not exist. Without one of its scripts, a page is not what was written. */
function missing(tab: Tab, url: string, isScript: boolean, place: Place | undefined): void {
  const { places } = tab;
  const name = places.nameOf(url);
  const path = name ?? new URL(url).pathname;
  const other = name === undefined ? undefined : places.otherCase(name);
  let why = `${path} does not exist`;
  if (other !== undefined) why += `, ${other} does: upper and lower case differ`;
  if (name === undefined) why += ': the site is in a folder, so its references begin without a slash';
  tab.add({
    kind: 'missing',
    message: why,
    ...(place ?? places.mentionOf(path)),
    ...(isScript && { blocking: true }),
  });
}

function frameAt(url: string, line: number | undefined): Frame {
  return { url, lineNumber: line ?? 0, columnNumber: 0 };
}
