import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import type { LookProblem, LookWidth } from '../contract/looks.ts';
import type { Findings } from './findings.ts';
import type { Frame, Place, Places } from './places.ts';
import { Unresponsive, within } from './time.ts';
import { watch } from './watch.ts';

/** A script that runs longer without an answer hangs. */
const ANSWER_MS = 5_000;
/** How long files of the site may be on their way. */
const NETWORK_MS = 3_000;
const MAX_TIMERS = 3_000;
const MAX_DIALOGS = 10;
const MAX_NAVIGATIONS = 12;

/** A page that is looked at, at one width. */
export class Tab {
  readonly page: Page;
  readonly width: LookWidth;
  readonly findings: Findings;
  readonly places: Places;
  /** What was done last, such as `after a press of "Save"`; undefined while the page loads. */
  action: string | undefined;
  /** Scripts and data elsewhere that were asked for, and are not there in a look. */
  readonly refused = new Set<string>();
  /** Whether the page left for another site while it loaded. */
  left = false;
  /** How many documents were shown. */
  documents = 0;
  /** On their way. */
  readonly requests = new Set<Request>();
  /** URLs by the ids that Chromium gives to scripts. */
  readonly scripts = new Map<string, string>();
  readonly #cdp: CDPSession;
  readonly #ended = Promise.withResolvers<never>();
  readonly #pending = new Map<
    number | string,
    { readonly make: () => LookProblem | undefined; readonly action: string | undefined }
  >();
  #dialogs = 0;
  /** The id of the world in the current document. */
  #world: number | undefined;

  private constructor(page: Page, cdp: CDPSession, width: LookWidth, findings: Findings, places: Places) {
    this.page = page;
    this.width = width;
    this.findings = findings;
    this.places = places;
    this.#cdp = cdp;
    this.#ended.promise.catch(() => undefined);
  }

  static async open(
    context: BrowserContext,
    width: LookWidth,
    findings: Findings,
    places: Places,
  ): Promise<Tab> {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const tab = new Tab(page, cdp, width, findings, places);
    await watch(tab, cdp);
    return tab;
  }

  /** Opens a URL, and lets its files arrive. */
  async goto(url: string): Promise<void> {
    const loaded = this.page.goto(url, { waitUntil: 'load', timeout: 0 }).catch(() => undefined);
    await this.#answered(loaded, ANSWER_MS + NETWORK_MS);
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

  /** Evaluates an expression in that world. The page may show another document at any time: then it is evaluated there. */
  async evaluate(expression: string): Promise<unknown> {
    for (let tries = 1; ; tries++)
      try {
        this.#world ??= await this.#newWorld();
        return await this.#run({ expression, contextId: this.#world });
      } catch (error) {
        if (error instanceof Unresponsive || tries === 3) throw error;
        this.#world = undefined;
        await this.#answered(this.page.waitForLoadState('load').catch(() => undefined));
      }
  }

  /** Returns the types of events that scripts of the page listen to. @param expression of the window, or of a node in the world of `call` */
  async listeners(expression: string): Promise<string[]> {
    const isWindow = expression === 'window';
    this.#world ??= await this.#newWorld();
    const contextId = isWindow ? {} : { contextId: this.#world };
    let { objectId } = (await this.send('Runtime.evaluate', { expression, ...contextId })).result;
    if (objectId === undefined) return [];
    // Listeners belong to the world in which their object is.
    if (!isWindow) {
      const { backendNodeId } = (await this.send('DOM.describeNode', { objectId })).node;
      objectId = (await this.send('DOM.resolveNode', { backendNodeId })).object.objectId ?? objectId;
    }
    const { listeners } = await this.send('DOMDebugger.getEventListeners', { objectId });
    return listeners.map(({ type }) => type);
  }

  /** Lets time pass for the page, in milliseconds. */
  async advance(ms: number): Promise<void> {
    await this.#pretended(`advance(${ms}, ${MAX_TIMERS})`);
    await this.settle();
  }

  /** Waits until the page has done what it can do without time passing. */
  async settle(): Promise<void> {
    const end = Date.now() + NETWORK_MS;
    await this.#pretended('settle()');
    while (this.requests.size > 0 && Date.now() < end) {
      await new Promise((later) => setTimeout(later, 5));
      await this.#pretended('settle()');
    }
    this.requests.clear();
  }

  /** Does something to the page from outside, and lets it react. */
  async act(action: string, act: () => Promise<unknown>): Promise<void> {
    this.action = action;
    this.#dialogs = 0;
    await this.#answered(act().catch(() => undefined));
    await this.settle();
    await this.advance(300);
  }

  /**
   * Returns a picture of what is in the window.
   * @param height of the page from its top instead of the window, at most
   */
  async picture(height?: number): Promise<Uint8Array | undefined> {
    const clip =
      height === undefined ? {} : { fullPage: true, clip: { x: 0, y: 0, width: this.width, height } };
    const options = { type: 'png', timeout: ANSWER_MS, ...clip } as const;
    return await this.#answered(
      this.page.screenshot(options).catch(() => undefined),
      2 * ANSWER_MS,
    );
  }

  send: CDPSession['send'] = (method, given) => this.#answered(this.#cdp.send(method, given));

  /** Records a problem of the page as it is now. */
  add(problem: LookProblem): void {
    this.#record(problem, this.action);
  }

  /** Records a problem once it is known what else happened, unless `never` is called with its id. */
  later(id: number | string, make: () => LookProblem | undefined): void {
    if (!this.#pending.has(id)) this.#pending.set(id, { make, action: this.action });
  }

  never(id: number): void {
    this.#pending.delete(id);
  }

  /** Whether something went wrong so far. */
  get hasFailed(): boolean {
    return this.#pending.size > 0;
  }

  flush(): void {
    for (const { make, action } of this.#pending.values()) {
      const problem = make();
      if (problem) this.#record(problem, action);
    }
    this.#pending.clear();
  }

  /** Returns a text with paths in the place of URLs of the site. */
  named(text: string): string {
    return text.replaceAll(this.places.home, '').replaceAll(new URL(this.places.home).origin, '');
  }

  /** Ends the look at this page because it does not let go. */
  end(message: string): void {
    this.add({ kind: 'hung', message, blocking: true });
    this.#ended.reject(new Unresponsive(message));
  }

  onDialog(type: string): void {
    this.#dialogs++;
    if (this.#dialogs > MAX_DIALOGS)
      this.end(`The page opens one dialog (${type}) after the other, without an end`);
  }

  onDocument(): void {
    this.documents++;
    this.#world = undefined;
    if (this.action === undefined && this.documents > MAX_NAVIGATIONS)
      this.end('The page loads itself again and again');
  }

  /** Calls what `pretend` has put into the page. A navigation ends it: the next document has a time of its own. */
  async #pretended(call: string): Promise<void> {
    await this.#run({ expression: `globalThis[Symbol.for('look')]?.${call}` }).catch((error) => {
      if (error instanceof Unresponsive) throw error;
    });
  }

  async #newWorld(): Promise<number> {
    const { frameTree } = await this.send('Page.getFrameTree');
    const frameId = frameTree.frame.id;
    return (await this.send('Page.createIsolatedWorld', { frameId, worldName: 'look' })).executionContextId;
  }

  /** An error is blocking only while the page loads. */
  #record({ blocking, ...problem }: LookProblem, action: string | undefined): void {
    const isBlocking = blocking && (action === undefined || problem.kind === 'hung');
    const named = { ...problem, message: this.named(problem.message), ...(isBlocking && { blocking }) };
    this.findings.add(named, this.width, action);
  }

  async #run(given: { readonly expression: string; readonly contextId?: number }): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      ...given,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits for something that only a page that hangs does not do. */
  async #answered<T>(done: Promise<T>, ms = ANSWER_MS): Promise<T> {
    const race = Promise.race([done, this.#ended.promise]);
    const answer = await within(ms, race);
    if (answer !== undefined) return answer.value;
    const place = await this.#loop();
    // Without a script that runs, the machine is slow.
    const late = place === undefined ? await within(ANSWER_MS, race) : undefined;
    if (late !== undefined) return late.value;
    const message = 'The page stops responding: a script runs without an end';
    this.add({ kind: 'hung', message, ...place, blocking: true });
    throw new Unresponsive(message);
  }

  /**
   * Returns the function that does not end, and ends it. Not its line, which is another one at any time.
   */
  async #loop(): Promise<Place | undefined> {
    const paused = new Promise<readonly Frame[]>((resolve) =>
      this.#cdp.once('Debugger.paused', ({ callFrames }) =>
        resolve(
          callFrames.map(({ location, functionLocation = location }) => ({
            url: this.scripts.get(location.scriptId) ?? '',
            lineNumber: functionLocation.lineNumber,
            columnNumber: functionLocation.columnNumber ?? 0,
          })),
        ),
      ),
    );
    void this.#cdp.send('Debugger.pause').catch(() => undefined);
    const frames = await within(1_000, paused);
    if (frames === undefined) return undefined;
    void this.#cdp.send('Runtime.terminateExecution').catch(() => undefined);
    const place = this.places.placeOf([...frames.value].reverse());
    if (place === undefined) return undefined;
    return place.line === 1 && place.column === 1 ? { path: place.path } : place;
  }
}
