import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { checkEvent, checkResponse } from './check-responses.ts';

/** A server-sent event. */
export interface ReceivedEvent {
  readonly id: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly data: any;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface EventSource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly events: ReceivedEvent[];
  readonly raw: () => string;
  /** Resolves once the stream has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens an event stream and collects its events. */
export function openEvents(
  url: URL,
  sent: { method?: string; headers?: Record<string, string>; body?: unknown; localAddress?: string },
) {
  const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const headers = {
    accept: 'text/event-stream',
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...sent.headers,
  };
  const { method = 'GET', localAddress } = sent;
  return new Promise<EventSource>((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers, agent: false, ...(localAddress ? { localAddress } : {}) },
      (incoming) => {
        const status = incoming.statusCode ?? 0;
        checkResponse({ method, url, status, header: (name) => incoming.headers[name]?.toString() });
        const events: ReceivedEvent[] = [];
        let text = '';
        let raw = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          raw += chunk;
          const parts = (text + chunk).split('\n\n');
          text = parts.pop() ?? '';
          for (const part of parts) {
            const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1];
            const [id, event, data] = ['id', 'event', 'data'].map(field);
            if (!event) continue;
            checkEvent({ method, url }, { id: String(id), event, data: String(data) });
            events.push({ id: Number(id), event, data: JSON.parse(data ?? 'null'), at: Date.now() });
          }
        });
        const ended = new Promise<void>((done) => {
          incoming.on('end', done);
          incoming.on('close', done);
          incoming.on('error', () => done());
        });
        resolve({
          status,
          headers: incoming.headers,
          events,
          raw: () => raw,
          ended,
          close: () => outgoing.destroy(),
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Polls until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(20);
}
