import { type ApiError, Client } from '../../../client/client.ts';
import { failureOf } from '../state/failure.ts';
import type { Store } from '../state/reduce.ts';
import type { Wait } from '../state/types.ts';
import type { ProjectStore } from '../storage/project-store.ts';

/** The parts that effects share: the state, the kept projects, and the client, which alone has the API key. */
export class Context {
  readonly store: Store;
  readonly projects: ProjectStore;
  readonly hold: Hold;
  client: Client;

  constructor(store: Store, projects: ProjectStore, hold: Hold) {
    this.store = store;
    this.projects = projects;
    this.hold = hold;
    this.client = this.#clientWith(undefined);
  }

  get project() {
    return this.store.state.project;
  }

  get hasKey() {
    return this.store.state.key !== undefined;
  }

  /** Uses an API key for all further requests. @throws TypeError if no header can have it */
  useKey(key: string | undefined): void {
    this.client = this.#clientWith(key);
    this.store.dispatch({ type: 'key', key: key?.slice(-4) });
  }

  /** Performs a request whose failure the page shows. @returns undefined if it failed */
  async attempt<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      this.store.dispatch({ type: 'failed', failure: failureOf(error) });
      this.store.dispatch({ type: 'busy', with: undefined });
      return undefined;
    }
  }

  #clientWith(key: string | undefined): Client {
    const { dispatch } = this.store;
    return new Client({
      baseUrl: location.origin,
      key,
      onRetry: (error, ms) => dispatch({ type: 'waiting', wait: waitFor(error, ms) }),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const { wait } = this.store.state;
        // One that comes before the end of the wait answers another request.
        if (response.status < 429 && wait && wait.until <= Date.now()) dispatch({ type: 'responded' });
        return response;
      },
    });
  }
}

function waitFor({ status, code }: ApiError, ms: number): Wait {
  const unanswered = code === 'network' ? 'network' : 'unavailable';
  return { reason: status === 429 ? 'rate_limited' : unanswered, until: Date.now() + ms };
}

/** A page that is being reloaded needs a moment to let go of its project: after it, the visitor is told what is waited for. */
const WAIT_MS = 1_000;

/** Has one tab at a time change a project. Browsers without locks, as on insecure origins, let all of them. */
export class Hold {
  readonly #isShared: boolean;
  #projectId: string | undefined;
  #isHeld = false;
  #release: (() => void) | undefined;

  /** @param isShared whether other tabs have the same projects */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /**
   * Lets go of the project before, and takes one.
   * @param steal takes it from the tab that has it
   * @param onLost is called when another tab takes it
   * @param onFree is called when the other tab lets go of it after all
   * @returns false if another tab has it
   */
  take(
    projectId: string,
    { steal, onLost, onFree }: { steal: boolean; onLost(): void; onFree(): void },
  ): Promise<boolean> {
    if (this.#projectId === projectId && this.#isHeld && !steal) return Promise.resolve(true);
    this.release();
    this.#projectId = projectId;
    const { locks } = navigator as { locks?: LockManager };
    this.#isHeld = !this.#isShared || !locks;
    if (!this.#isShared || !locks) return Promise.resolve(true);
    return new Promise((answer) => {
      const waiting = new AbortController();
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const release = () => {
        waiting.abort();
        resolve();
      };
      this.#release = release;
      let isTaken = false;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        answer(false);
      }, WAIT_MS);
      const hold = () => {
        clearTimeout(timer);
        // The project was let go of while the lock was granted.
        if (this.#release !== release) return answer(false);
        isTaken = true;
        this.#isHeld = true;
        if (isLate) onFree();
        answer(true);
        return released;
      };
      locks.request(`ptp-project:${projectId}`, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
        clearTimeout(timer);
        answer(false);
        // This tab has let go of it, or stolen it from itself.
        if (this.#release !== release) return;
        this.release();
        if (isTaken) onLost();
      });
    });
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
    this.#projectId = undefined;
    this.#isHeld = false;
  }
}
