import { log } from '../../platform/log.ts';
import { CircuitOpen } from '../../platform/unreachable.ts';

/** The salt of the current day. That of the last day is forgotten with the first view of the next one. */
export class DaySalt {
  readonly #read: (day: string) => Promise<Uint8Array>;
  #held: { readonly day: string; readonly salt: Promise<Uint8Array | undefined> } | undefined;

  constructor(read: (day: string) => Promise<Uint8Array>) {
    this.#read = read;
  }

  /** Forgets the salt of another day. */
  forgetPast(day: string): void {
    if (this.#held && this.#held.day < day) this.#held = undefined;
  }

  /** Returns undefined if the salt cannot be read now. */
  of(day: string): Promise<Uint8Array | undefined> {
    if (this.#held?.day === day) return this.#held.salt;
    const salt = this.#read(day).catch((error: unknown) => {
      if (this.#held?.salt === salt) this.#held = undefined;
      if (!(error instanceof CircuitOpen)) log.error('salt not read', { day, error });
      return undefined;
    });
    this.#held = { day, salt };
    return salt;
  }
}
