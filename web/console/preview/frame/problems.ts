import type { PreviewSite } from './preview-site.ts';

const MOST = 50;
const LONGEST = 1_000;

/** Names files in messages, in place of their URLs in the preview. */
interface PreviewLocation {
  readonly project: PreviewSite;
  /** File of the page. */
  readonly page: string;
}

/** Returns `path:line: message`, or the message alone if it is from elsewhere. */
function describeProblem(message: string, url: string, line: number, { project, page }: PreviewLocation): string {
  // An attribute such as `onclick` has no URL.
  if (url === '') return `${page}: ${message}`;
  const file = URL.canParse(url) ? project.fileAt(new URL(url)) : undefined;
  return file === undefined ? message : `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}

/** Returns the message of a thrown value, with the position of the first file in its stack. */
function describeThrown(value: unknown, location: PreviewLocation): string {
  if (!(value instanceof Error)) return textOf(value);
  const message = `${value.name}: ${value.message}`;
  const [, url = '', line = ''] = /((?:https?):\/\/[^\s()]+?):(\d+):\d+/.exec(value.stack ?? '') ?? [];
  return url === '' ? message : describeProblem(message, url, Number(line), location);
}

const textOf = (value: unknown): string => {
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  } catch {
    return String(value);
  }
};

/** Reports errors of the page, each once. */
export function watchProblems(location: PreviewLocation, send: (message: string) => void): (message: string) => void {
  const reported = new Set<string>();
  const report = (message: string) => {
    const short = message.slice(0, LONGEST);
    if (reported.size >= MOST || reported.has(short)) return;
    reported.add(short);
    send(short);
  };
  const blocked: Readonly<Record<string, string>> = {
    'connect-src': 'A preview does not connect to',
    'frame-src': 'A preview does not embed',
    'form-action': 'A preview does not send forms to',
  };
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (target instanceof Element) {
        const url = target.getAttribute('src') ?? target.getAttribute('href') ?? '';
        if (/^https?:/.test(url)) report(`${url} could not be loaded`);
      } else if (event.error) report(describeEvent(event, location));
      else report(describeProblem(event.message, event.filename, event.lineno, location));
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) =>
    report(`Unhandled rejection: ${describeThrown(reason, location)}`),
  );
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    report(`${blocked[effectiveDirective] ?? 'A preview does not load'} ${blockedURI}: the deployed page may`),
  );
  const { error } = console;
  console.error = (...values: unknown[]) => {
    error.apply(console, values);
    report(`console.error: ${values.map((value) => describeThrown(value, location)).join(' ')}`);
  };
  return report;
}

/** The message of an uncaught error, which says more than the value that was thrown, with the position of the event. */
const describeEvent = ({ message, error, filename, lineno }: ErrorEvent, location: PreviewLocation) =>
  describeProblem(message.replace(/^Uncaught $/, `Uncaught ${error}`), filename, lineno, location);
