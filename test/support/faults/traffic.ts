import { setTimeout as sleep } from 'node:timers/promises';
import { NewPages, RedeployedPage } from './deployed.ts';
import { Generations } from './generated.ts';
import type { Responses } from './record.ts';
import { Uploads } from './uploaded.ts';

const PAUSE_MS = 100;
/** Generations take most of the machine. */
const GENERATION_PAUSE_MS = 400;

/** How many of each were acknowledged, and are there. */
export interface Kept {
  readonly pages: number;
  readonly generations: number;
  readonly assets: number;
}

/** Callers who do all that the service offers at the same time, each one thing after another. */
export class Traffic {
  readonly #page: RedeployedPage;
  readonly #pages: NewPages;
  readonly #generations: Generations;
  readonly #uploads: Uploads;
  #isOver = false;
  #callers: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;

  /** @param key may upload assets */
  constructor(baseUrl: string, responses: Responses, key: string) {
    this.#page = new RedeployedPage(baseUrl, responses);
    this.#pages = new NewPages(baseUrl, responses);
    this.#generations = new Generations(baseUrl, responses);
    this.#uploads = new Uploads(baseUrl, responses, key);
  }

  async start(): Promise<void> {
    const page = this.#page;
    await page.deploy();
    const callers = [
      this.#repeat(() => page.deploy()),
      this.#repeat(() => page.visit()),
      this.#repeat(() => page.changeSettings()),
      this.#repeat(() => page.read()),
      this.#repeat(() => this.#pages.deploy()),
      this.#repeat(() => this.#uploads.upload()),
      this.#repeat(() => this.#generations.wait(), GENERATION_PAUSE_MS),
      this.#repeat(() => this.#generations.startOnce(), GENERATION_PAUSE_MS),
    ];
    this.#callers = Promise.all(callers).catch((error: Error) => {
      this.#failure = error;
    });
  }

  /** @throws the error of a caller who saw what must not be */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#callers;
    this.check();
  }

  /** Expects that nothing acknowledged is lost. */
  async expectKept(): Promise<Kept> {
    await this.#page.expectKept();
    return {
      pages: await this.#pages.expectKept(),
      generations: await this.#generations.expectEnded(),
      assets: await this.#uploads.expectKept(),
    };
  }

  async #repeat(act: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
    while (!this.#isOver) {
      await act();
      await sleep(pauseMs);
    }
  }
}
