/** A page that is being reloaded needs a moment to let go of its project. */
const WAIT_MS = 1_000;

/** Has one tab at a time change a project. Browsers without locks, as on insecure origins, let all of them. */
export class Hold {
  readonly #isShared: boolean;
  #projectId: string | undefined;
  #release: (() => void) | undefined;

  /** @param isShared whether other tabs have the same projects */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /**
   * Lets go of the project before, and takes one.
   * @param steal takes it from the tab that has it
   * @param onLost is called when another tab takes it
   * @returns false if another tab has it
   */
  take(projectId: string, { steal, onLost }: { steal: boolean; onLost(): void }): Promise<boolean> {
    if (this.#projectId === projectId && !steal) return Promise.resolve(true);
    this.release();
    this.#projectId = projectId;
    const { locks } = navigator as { locks?: LockManager };
    if (!this.#isShared || !locks) return Promise.resolve(true);
    return new Promise((answer) => {
      const released = new Promise<void>((release) => {
        this.#release = release;
      });
      const options = steal ? { steal } : { signal: AbortSignal.timeout(WAIT_MS) };
      let isTaken = false;
      const hold = () => {
        isTaken = true;
        answer(true);
        return released;
      };
      locks.request(`ptp-project:${projectId}`, options, hold).catch(() => {
        if (this.#projectId === projectId) this.#projectId = undefined;
        if (isTaken) onLost();
        else answer(false);
      });
    });
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
    this.#projectId = undefined;
  }
}
