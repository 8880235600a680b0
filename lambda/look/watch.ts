import type { CDPSession } from 'playwright-core';
import type { LookProblem } from '../contract/looks.ts';
import { MARKUP_ALERT } from '../sites/data/samples.ts';
import type { PageRecord } from './findings.ts';
import type { Frame, Place, Places } from './places.ts';
import { OWN, type Session, type Tab } from './tab.ts';

/**
 * Errors because browsers without a person, a camera, a speaker or a network refuse something: no fault of the page.
 */
const REFUSED =
  /\b(?:AbortError|NotAllowedError|NotReadableError|SecurityError: .{0,200}(?:permission|gesture))\b|Requested device not found|has no supported source/;
const NO_ANSWER = /Failed to fetch|NetworkError|Failed to load|Load failed|ERR_|dynamically imported module/;
/** More than the files of a project, at each of its pages. */
const MAX_INITIATORS = 2_000;
/** Sources of messages of the browser itself. Failed requests are recorded as what they are. */
const SAID = ['javascript', 'security', 'rendering', 'other', 'worker', 'xml'];

/** Records what goes wrong on a page, from its first request. */
export async function watch(tab: Tab): Promise<void> {
  const { page, session } = tab;
  const { cdp } = session;
  watchRequests(tab, cdp);
  watchScripts(tab.record, session);
  page.on('dialog', (dialog) => {
    if (dialog.message() === MARKUP_ALERT) tab.record.add(runsEntries(tab.record.places));
    else tab.onDialog(dialog.type());
    const text = dialog.type() === 'prompt' ? dialog.defaultValue() || 'Test' : undefined;
    void dialog.accept(text).catch(() => undefined);
  });
  page.on('crash', () => session.end('The page ends its process, as if it took all memory'));
  const domains = ['Page', 'Runtime', 'Log', 'Network', 'Debugger'] as const;
  await Promise.all(domains.map((domain) => cdp.send(`${domain}.enable`)));
}

function watchScripts(record: PageRecord, { cdp, scripts }: Session): void {
  const { places } = record;
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    const message = textOfError(exceptionDetails);
    const frames = framesOf(exceptionDetails);
    record.later(exceptionDetails.exceptionId, () => errorOf(record, message, places.placeOf(frames)));
  });
  // A rejection that a page handles later is handled.
  cdp.on('Runtime.exceptionRevoked', ({ exceptionId }) => record.never(exceptionId));
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    if (type !== 'error' && type !== 'assert') return;
    logOf(record, textOfLog(args), places.placeOf([...framesOfLog(args), ...(stackTrace?.callFrames ?? [])]));
  });
  cdp.on('Log.entryAdded', ({ entry: { level, source, text, url, lineNumber, stackTrace } }) => {
    if (level !== 'error' || !SAID.includes(source)) return;
    const frames: Frame[] = [...(stackTrace?.callFrames ?? [])];
    if (url !== undefined) frames.push(frameAt(url, lineNumber));
    const place = places.placeOf(frames);
    // An error in a worker that nobody handles.
    if (source === 'worker') record.add({ kind: 'error', message: text, ...place, blocking: true });
    else logOf(record, text, place);
  });
  cdp.on('Debugger.scriptParsed', ({ scriptId, url, executionContextAuxData: world }) =>
    scripts.set(scriptId, (world as { isDefault?: boolean } | undefined)?.isDefault === false ? OWN : url),
  );
  cdp.on('Debugger.paused', () => void cdp.send('Debugger.resume').catch(() => undefined));
}

function errorOf(record: PageRecord, message: string, at: Place | undefined): LookProblem | undefined {
  // Which call is one too many depends on how much memory the others took.
  const place = at && /Maximum call stack/.test(message) ? { path: at.path } : at;
  if (REFUSED.test(message)) return undefined;
  const [elsewhere] = record.refused;
  if (elsewhere === undefined) return { kind: 'error', message, ...place, blocking: true };
  if (NO_ANSWER.test(message)) {
    const why = `The page does not handle that ${elsewhere} may be out of reach: ${message}`;
    return { kind: 'left', message: why, ...place };
  }
  return { kind: 'error', message: `${message} (${elsewhere} was not loaded)`, ...place };
}

function logOf(record: PageRecord, message: string, place: Place | undefined): void {
  if (REFUSED.test(message)) return;
  const isOfNetwork = record.refused.size > 0 && (NO_ANSWER.test(message) || /https?:\/\//.test(record.named(message)));
  if (!isOfNetwork) record.add({ kind: 'console', message: `Console: ${message}`, ...place });
}

function watchRequests(tab: Tab, cdp: CDPSession): void {
  const { page, record, requests } = tab;
  const { places } = record;
  /** The frames that request files, by URL. */
  const initiators = new Map<string, readonly Frame[]>();
  cdp.on('Network.requestWillBeSent', ({ request: { url }, initiator }) => {
    const frames: Frame[] = [...(initiator.stack?.callFrames ?? [])];
    if (initiator.url !== undefined && initiator.lineNumber !== undefined)
      frames.push(frameAt(initiator.url, initiator.lineNumber));
    if (initiators.size < MAX_INITIATORS) initiators.set(url, frames);
  });
  page.on('request', (request) => {
    requests.add(request);
    const url = request.url();
    if (!/^https?:/.test(url) || places.isHome(url)) return;
    if (request.isNavigationRequest()) {
      if (request.frame() !== page.mainFrame() || record.action !== undefined) return;
      record.left ||= record.page === undefined;
      record.later(url, () => leftFor(url, places.placeOf(initiators.get(url) ?? [])));
    } else if (/^(?:script|fetch|xhr)$/.test(request.resourceType())) record.refuse(url);
  });
  page.on('response', (response) => {
    const url = response.url();
    const request = response.request();
    // Chromium asks for icons when it likes.
    const isIcon = request.resourceType() === 'other' && /\.(?:ico|png|svg)$/.test(url);
    if (!places.isHome(url) || request.method() === 'HEAD' || isIcon) return;
    const isFallback = request.isNavigationRequest() && /\.\w+$/.test(new URL(url).pathname) && !places.fileOf(url);
    if (response.status() !== 404 && !(isFallback && response.ok())) return;
    const isData = /^(?:fetch|xhr|eventsource)$/.test(request.resourceType());
    if (isData && (places.isAnswered(url) || ITEM.test(url))) return;
    const isScript = request.resourceType() === 'script';
    record.later(url, () => missing(places, url, isScript, places.placeOf(initiators.get(url) ?? [])));
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) tab.onDocument();
  });
}

/** The URL of an item of the site's data: whether there is one does not depend on the files. */
const ITEM = /\/\.data\/[\w-]+\/[^/]+$/;

/** Records that markup in the site's data is run. */
function runsEntries(places: Places): LookProblem {
  const message =
    'The page inserts what visitors write as HTML, so that anyone can run a script for all who see it: use textContent';
  return { kind: 'error', message, ...places.mentionOf('innerHTML') };
}

function leftFor(url: string, place: Place | undefined): LookProblem {
  return { kind: 'left', message: `The page leaves the site for ${url}`, ...place };
}

/** Records a file that does not exist. Without one of its scripts, a page is not what was written. */
function missing(places: Places, url: string, isScript: boolean, place: Place | undefined): LookProblem {
  const name = places.nameOf(url);
  const path = name ?? new URL(url).pathname;
  const other = name === undefined ? undefined : places.otherCase(name);
  let why = `${path} does not exist`;
  if (other !== undefined) why += `, ${other} does: upper and lower case differ`;
  if (name === undefined) why += ': the site is in a folder, so its references begin without a slash';
  const mentioned = place ?? places.mentionOf(path);
  return { kind: 'missing', message: why, ...mentioned, ...(isScript && { blocking: true }) };
}

function frameAt(url: string, line: number | undefined): Frame {
  return { url, lineNumber: line ?? 0, columnNumber: 0 };
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-RemoteObject */
interface RemoteValue {
  readonly type: string;
  readonly value?: unknown;
  readonly description?: string | undefined;
  readonly className?: string | undefined;
}

/** https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-ExceptionDetails */
interface Thrown {
  readonly text: string;
  readonly url?: string | undefined;
  readonly lineNumber: number;
  readonly columnNumber: number;
  readonly stackTrace?: { readonly callFrames: readonly Frame[] } | undefined;
  readonly exception?: RemoteValue | undefined;
}

/** A page may log megabytes. */
const MAX_TEXT = 2_000;

/** Returns what a console shows of an error that nobody caught, such as `Uncaught TypeError: x is undefined`. */
export function textOfError({ text, exception }: Thrown): string {
  return exception === undefined ? text : `${text} ${textOf(exception)}`;
}

/** Returns the frames of an error, innermost first; where it was found comes last. */
export function framesOf({ url, lineNumber, columnNumber, stackTrace, exception }: Thrown): Frame[] {
  const found = url === undefined ? [] : [{ url, lineNumber, columnNumber }];
  return [...framesOfText(exception?.description ?? ''), ...(stackTrace?.callFrames ?? []), ...found];
}

/** Returns what a console shows of a value: of an error its first line. */
function textOf({ type, value, description }: RemoteValue): string {
  if (value !== undefined && type !== 'object') return String(value).slice(0, MAX_TEXT);
  return ((description ?? String(value)).slice(0, MAX_TEXT).split('\n    at ')[0] ?? '').trim();
}

/** Returns one line for the arguments of `console.error`. https://console.spec.whatwg.org/#formatter */
export function textOfLog(values: readonly RemoteValue[]): string {
  const [first, ...rest] = values;
  if (first?.type !== 'string') return values.map(textOf).join(' ');
  const text = textOf(first).replace(/%[sdifoOc]/g, (specifier) => {
    const next = rest.shift();
    if (next === undefined) return specifier;
    return specifier === '%c' ? '' : textOf(next);
  });
  return [text, ...rest.map(textOf)].join(' ');
}

/** Returns the frames of the errors that are logged: a framework logs those that it catches from a place of its own. */
export function framesOfLog(values: readonly RemoteValue[]): Frame[] {
  return values.flatMap(({ value, description = String(value) }) => framesOfText(description));
}

/** Returns the frames of a stack as V8 writes it: `at f (https://…/app.js:3:14)`. */
function framesOfText(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.slice(0, 20_000).split('\n').slice(1, 50)) {
    const place = line.slice(Math.max(line.lastIndexOf('('), line.lastIndexOf(' ')) + 1).replace(/\)$/, '');
    const [, url, row, column] = /^(https?:\/\/\S{1,2000}?):(\d{1,9}):(\d{1,9})$/.exec(place) ?? [];
    if (url !== undefined) frames.push({ url, lineNumber: Number(row) - 1, columnNumber: Number(column) - 1 });
  }
  return frames;
}
