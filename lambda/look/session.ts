import type { CDPSession } from 'playwright-core';
import type { Frame, Place } from './places.ts';
import type { PageRecord } from './record.ts';
import { Unresponsive, within } from './time.ts';

/** A script that runs longer without an answer hangs. */
export const ANSWER_MS = 5_000;
const PAUSE_MS = 1_000;

/** Talks to a page that may never answer. */
export class Session {
  readonly cdp: CDPSession;
  /** URLs by the ids that Chromium gives to scripts. */
  readonly scripts = new Map<string, string>();
  readonly #record: PageRecord;
  readonly #ended = Promise.withResolvers<never>();
  /** The id of the world in the current document. */
  #world: number | undefined;

  constructor(cdp: CDPSession, record: PageRecord) {
    this.cdp = cdp;
    this.#record = record;
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
    const answer = await within(ms, race);
    if (answer !== undefined) return answer.value;
    const place = await this.#loop();
    // Without a script that runs, the machine is slow.
    const late = place === undefined ? await within(ANSWER_MS, race) : undefined;
    if (late !== undefined) return late.value;
    const message = 'The page stops responding: a script runs without an end';
    this.#record.add({ kind: 'hung', message, ...place, blocking: true });
    throw new Unresponsive(message);
  }

  /** Returns the function that does not end, and ends it. Not its line, which is another one at any time. */
  async #loop(): Promise<Place | undefined> {
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
    const frames = await within(PAUSE_MS, paused);
    if (frames === undefined) return undefined;
    void this.cdp.send('Runtime.terminateExecution').catch(() => undefined);
    const place = this.#record.places.placeOf([...frames.value].reverse());
    if (place === undefined) return undefined;
    // The whole script.
    return place.line === 1 && place.column === 1 ? { path: place.path } : place;
  }
}
