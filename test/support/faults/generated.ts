import { randomUUID } from 'node:crypto';
import { newCaller } from '../cloud/client.ts';
import { until } from '../cloud/events.ts';
import type { Responses } from './record.ts';

const RUNNING = ['queued', 'running', 'deploying'];

/** Generations that their callers wait for, and others that are sent again with their `Idempotency-Key` until they are accepted. */
export class Generations {
  readonly #caller: ReturnType<typeof newCaller>;
  readonly #responses: Responses;
  /** The ids of all generations that were accepted. */
  readonly #accepted = new Set<string>();
  #key: string | undefined;
  /** What the current key has led to. */
  #idOfKey: string | undefined;

  constructor(baseUrl: string, responses: Responses) {
    this.#caller = newCaller(baseUrl);
    this.#responses = responses;
  }

  async wait(): Promise<void> {
    const sent = this.#caller.post('/api/v1/generate', { prompt: 'a timer' });
    const response = await this.#responses.note('generate', sent);
    const id = response?.headers['x-generation-id'];
    if (id !== undefined && response?.status === 200) this.#accepted.add(String(id));
  }

  async startOnce(): Promise<void> {
    this.#key ??= randomUUID();
    const headers = { 'idempotency-key': this.#key, prefer: 'respond-async' };
    const sent = this.#caller.post('/api/v1/generate', { prompt: 'a clock' }, headers);
    const response = await this.#responses.note('generate async', sent);
    const id = response?.headers['x-generation-id'];
    if (id !== undefined) {
      this.#idOfKey ??= String(id);
      expect(id).toBe(this.#idOfKey);
    }
    if (response?.status !== 202) return;
    this.#accepted.add(String(id));
    this.#key = undefined;
    this.#idOfKey = undefined;
  }

  /** Expects that each generation ends, with one attempt that succeeded, or a reason. */
  async expectEnded(): Promise<number> {
    for (const id of this.#accepted) {
      const path = `/api/v1/generations/${id}`;
      await until(async () => !RUNNING.includes((await this.#caller.send(path)).json.status));
      const { status, attempts } = (await this.#caller.send(path)).json;
      const succeeded = attempts.filter(({ outcome }: { outcome: string }) => outcome === 'succeeded');
      const result = await this.#caller.send(`${path}/result`);
      if (status === 'succeeded') expect([succeeded.length, result.status]).toEqual([1, 200]);
      else expect([status, result.json]).toEqual(['failed', { error: expect.any(String) }]);
    }
    return this.#accepted.size;
  }
}
