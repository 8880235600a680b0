import type { BrowserContext, Page, Request } from 'playwright-core';
import type { PageRecord } from './record.ts';
import { ANSWER_MS, Session } from './session.ts';
import { Unresponsive } from './time.ts';

/** How long files of the site may be on their way. */
const NETWORK_MS = 3_000;
/** Of the time of the page, after each action. */
const REACTION_MS = 300;
const MAX_TIMERS = 3_000;
const MAX_DIALOGS = 10;
const MAX_DOCUMENTS = 12;

/** A page that is looked at, at one width. */
export class Tab {
  readonly page: Page;
  readonly record: PageRecord;
  readonly session: Session;
  /** On their way. */
  readonly requests = new Set<Request>();
  /** How many documents were shown. */
  documents = 0;
  #dialogs = 0;

  private constructor(page: Page, session: Session, record: PageRecord) {
    this.page = page;
    this.session = session;
    this.record = record;
  }

  static async open(context: BrowserContext, record: PageRecord): Promise<Tab> {
    const page = await context.newPage();
    const session = new Session(await context.newCDPSession(page), record);
    return new Tab(page, session, record);
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

  /** Evaluates an expression in that world. The page may show another document at any time: then it is evaluated there. */
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
    const taken = this.page.screenshot({ type: 'png', timeout: ANSWER_MS, ...clip });
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
    await this.session.evaluate(`globalThis[Symbol.for('look')]?.${call}`).catch((error) => {
      if (error instanceof Unresponsive) throw error;
    });
  }
}
