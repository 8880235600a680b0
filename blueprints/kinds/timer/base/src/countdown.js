/**
 * A countdown. It stores when it ends instead of counting ticks, so it stays correct when the browser throttles
 * the tab or the computer sleeps.
 */
export class Countdown {
  #left = 0;
  #end = null;

  get running() {
    return this.#end !== null;
  }

  /** Milliseconds left, never below zero. */
  get left() {
    return this.running ? Math.max(0, this.#end - Date.now()) : this.#left;
  }

  set(milliseconds) {
    this.#left = milliseconds;
    this.#end = null;
  }

  start() {
    this.#end = Date.now() + this.#left;
  }

  pause() {
    this.set(this.left);
  }
}

/** 1500000 → "25:00", 5400000 → "1:30:00". */
export function clock(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return seconds < 3600 ? parts.join(':') : `${Math.floor(seconds / 3600)}:${parts.join(':')}`;
}
