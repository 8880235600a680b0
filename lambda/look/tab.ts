import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import type { OtherPage, PageRecord } from './findings.ts';
import type { Frame, Place } from './places.ts';

/** The page does not let anything be done with it: its problem is recorded. */
export class Unresponsive extends Error {
  override readonly name = 'Unresponsive';
}

/** Returns what a promise resolves to, or undefined if it takes longer. */
export async function within<T>(ms: number, done: Promise<T>): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([done.then((value) => ({ value })), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** The URL of the scripts of the look. Scripts of a page can have none, as those that it makes of text. */
export const OWN = 'look:own';
/** A script's last line, which gives it that URL. */
export const IS_OWN = `\n//# sourceURL=${OWN}\n`;

/** The time that files of the site may take. All such times are for a look of the usual length: one with more time is more patient. */
const NETWORK_MS = 3_000;
/** Milliseconds of the clock of the page after each action. */
const REACTION_MS = 300;
const MAX_TIMERS = 3_000;
const MAX_DIALOGS = 10;
const MAX_DOCUMENTS = 12;

/** A page that is looked at, at one width. */
export class Tab {
  readonly page: Page;
  readonly record: PageRecord;
  readonly session: Session;
  /** How many times as long as usual the look takes at most. */
  readonly patience: number;
  /** On their way. */
  readonly requests = new Set<Request>();
  /** The number of documents shown. */
  documents = 0;
  #dialogs = 0;

  private constructor(page: Page, session: Session, record: PageRecord, patience: number) {
    this.page = page;
    this.session = session;
    this.record = record;
    this.patience = patience;
  }

  static async open(context: BrowserContext, record: PageRecord, patience: number): Promise<Tab> {
    const page = await context.newPage();
    const session = new Session(await context.newCDPSession(page), record, patience);
    return new Tab(page, session, record, patience);
  }

  /** Begins another page of the site, or the entry again, before it is opened. */
  begin(page: OtherPage | undefined): void {
    this.record.begin(page);
    this.documents = 0;
  }

  /** Opens a URL, and lets its files arrive. */
  async goto(url: string): Promise<void> {
    const loaded = this.page.goto(url, { waitUntil: 'load', timeout: 0 }).catch(() => undefined);
    await this.session.answered(loaded, ANSWER_MS + NETWORK_MS);
    await this.settle();
  }

  /** Calls a function in the page, in a world of its own, where scripts of the page change nothing. */
  async call<Given extends readonly unknown[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result>> {
    const values = given.map((value) => JSON.stringify(value)).join();
    return (await this.evaluate(`(${work})(${values})`)) as Awaited<Result>;
  }

  /** Calls a function that only adds to what is known: a document on which it fails, by names of its own, is spared. */
  async try<Given extends readonly unknown[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result> | undefined> {
    return await this.call(work, ...given).catch((error) => {
      if (error instanceof Unresponsive || this.page.isClosed()) throw error;
      return undefined;
    });
  }

  /**
   * Evaluates an expression in that world. The page may show another document at any time: then it is evaluated there.
   */
  async evaluate(expression: string): Promise<unknown> {
    for (let tries = 1; ; tries++)
      try {
        return await this.session.evaluate(expression, await this.session.world());
      } catch (error) {
        if (error instanceof Unresponsive || tries === 3) throw error;
        this.session.forgetWorld();
        await this.session.answered(this.page.waitForLoadState('load').catch(() => undefined));
      }
  }

  /** Lets time pass for the page, in milliseconds. */
  async advance(ms: number): Promise<void> {
    await this.#pretended(`advance(${ms}, ${MAX_TIMERS})`);
    await this.settle();
  }

  /** Waits until the page has done what it can do without time passing. */
  async settle(): Promise<void> {
    const end = Date.now() + NETWORK_MS * this.patience;
    await this.#pretended('settle()');
    while (this.requests.size > 0 && Date.now() < end) {
      await new Promise((later) => setTimeout(later, 5));
      await this.#pretended('settle()');
    }
    this.requests.clear();
  }

  /** Does something to the page from outside, and lets it react. */
  async act(action: string, act: () => Promise<unknown>): Promise<void> {
    this.record.action = action;
    this.#dialogs = 0;
    await this.session.answered(act().catch(() => undefined));
    await this.settle();
    await this.advance(REACTION_MS);
  }

  /**
   * Returns a picture of what is in the window.
   * @param height of the page from its top instead of the window, at most
   */
  async picture(height?: number): Promise<Uint8Array | undefined> {
    const { width } = this.record;
    const clip = height === undefined ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height } };
    const taken = this.page.screenshot({ type: 'png', timeout: ANSWER_MS * this.patience, ...clip });
    // It waits for fonts and frames, which is no sign of a script that hangs.
    return await this.session.answered(
      taken.catch(() => undefined),
      2 * ANSWER_MS,
    );
  }

  onDialog(type: string): void {
    this.#dialogs++;
    if (this.#dialogs > MAX_DIALOGS)
      this.session.end(`The page opens one dialog (${type}) after the other, without an end`);
  }

  onDocument(): void {
    this.documents++;
    this.session.forgetWorld();
    if (this.record.action === undefined && this.documents > MAX_DOCUMENTS)
      this.session.end('The page loads itself again and again');
  }

  /** Calls what `pretend` has put into the page. A navigation ends it: the next document has a time of its own. */
  async #pretended(call: string): Promise<void> {
    await this.session.evaluate(`globalThis[Symbol.for('look')]?.${call}${IS_OWN}`).catch((error) => {
      if (error instanceof Unresponsive) throw error;
    });
  }
}

/** A script that runs longer without an answer hangs. */
const ANSWER_MS = 5_000;
const PAUSE_MS = 1_000;

/** Talks to a page that may never answer. */
export class Session {
  readonly cdp: CDPSession;
  /** URLs by the ids that Chromium gives to scripts; `OWN` for those outside of the world of the page. */
  readonly scripts = new Map<string, string>();
  readonly #record: PageRecord;
  readonly #patience: number;
  readonly #ended = Promise.withResolvers<never>();
  /** The id of the world in the current document. */
  #world: number | undefined;

  constructor(cdp: CDPSession, record: PageRecord, patience: number) {
    this.cdp = cdp;
    this.#record = record;
    this.#patience = patience;
    this.#ended.promise.catch(() => undefined);
  }

  /** @throws Unresponsive, as all methods, if the page hangs, which is recorded */
  send: CDPSession['send'] = (method, given) => this.answered(this.cdp.send(method, given));

  /** Returns the id of a world with the DOM of the page and without its scripts. */
  async world(): Promise<number> {
    if (this.#world !== undefined) return this.#world;
    const { frameTree } = await this.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'look' };
    this.#world = (await this.send('Page.createIsolatedWorld', world)).executionContextId;
    return this.#world;
  }

  /** The page shows another document. */
  forgetWorld(): void {
    this.#world = undefined;
  }

  /** Returns the value of an expression, in the world of the page without another one. @throws Error as it throws */
  async evaluate(expression: string, contextId?: number): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      ...(contextId !== undefined && { contextId }),
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Ends the look at this page because it does not let go. */
  end(message: string): void {
    this.#record.add({ kind: 'hung', message, blocking: true });
    this.#ended.reject(new Unresponsive(message));
  }

  /** Waits for something that only a page that hangs does not do. */
  async answered<T>(done: Promise<T>, ms = ANSWER_MS): Promise<T> {
    const race = Promise.race([done, this.#ended.promise]);
    const answer = await within(ms * this.#patience, race);
    if (answer !== undefined) return answer.value;
    const loop = await this.#endLoop();
    // The look's own script has more to do than this machine can: the look ends when its time is over.
    if (loop === 'own') return await this.answered(done, ms);
    // Without a script that runs, the machine is slow.
    const late = loop === undefined ? await within(ANSWER_MS * this.#patience, race) : undefined;
    if (late !== undefined) return late.value;
    if (loop === undefined && (await this.#responds())) throw new Unresponsive('The browser is too slow for the page');
    const message = 'The page stops responding: a script runs without an end';
    this.#record.add({ kind: 'hung', message, ...loop?.place, blocking: true });
    throw new Unresponsive(message);
  }

  /** Reports if scripts can run: then something outside of them takes long, such as drawing without a graphics card. */
  async #responds(): Promise<boolean> {
    const asked = this.cdp.send('Runtime.evaluate', { expression: '1' }).catch(() => undefined);
    return (await within(PAUSE_MS * this.#patience, asked)) !== undefined;
  }

  /**
   * Ends a script of the page that runs. @returns its function, whose line is another one at any time, if that is in the project;
   * `own` if it is one of the look; undefined if none runs
   */
  async #endLoop(): Promise<{ readonly place: Place | undefined } | 'own' | undefined> {
    const paused = new Promise<readonly Frame[]>((resolve) =>
      this.cdp.once('Debugger.paused', ({ callFrames }) =>
        resolve(
          callFrames.map(({ location, functionLocation = location }) => ({
            url: this.scripts.get(location.scriptId) ?? '',
            lineNumber: functionLocation.lineNumber,
            columnNumber: functionLocation.columnNumber ?? 0,
          })),
        ),
      ),
    );
    void this.cdp.send('Debugger.pause').catch(() => undefined);
    const frames = await within(PAUSE_MS * this.#patience, paused);
    if (frames === undefined) return undefined;
    if (frames.value.every(({ url }) => url === OWN)) return 'own';
    void this.cdp.send('Runtime.terminateExecution').catch(() => undefined);
    const place = this.#record.places.placeOf([...frames.value].reverse());
    const isWhole = place?.line === 1 && place.column === 1;
    return { place: isWhole ? { path: place.path } : place };
  }
}
