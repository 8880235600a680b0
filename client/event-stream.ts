import { networkError } from './error.ts';

/** A server-sent event, or `comment` for a line that keeps the connection alive. */
export type Message = { readonly id: string; readonly type: string; readonly data: string } | 'comment';

/** Parses an event stream (WHATWG HTML, 9.2.6), which can be split anywhere. */
export class EventParser {
  #rest = '';
  /** The last chunk ended with a carriage return, whose line feed may follow. */
  #afterReturn = false;
  #id = '';
  #type = '';
  #data: string[] = [];

  /** Returns what is complete after this chunk. An event is complete only with the empty line after it. */
  push(chunk: string): Message[] {
    if (chunk === '') return [];
    const text = this.#afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    this.#afterReturn = text.endsWith('\r');
    // Most chunks of a long line contain no end of it, and then the earlier ones are not scanned again.
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    if (end === 0) {
      this.#rest += text;
      return [];
    }
    const lines = (this.#rest + text.slice(0, end)).split(/\r\n|[\r\n]/);
    lines.pop();
    this.#rest = text.slice(end);
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): Message | undefined {
    if (line === '') return this.#dispatch();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (field === '') return 'comment';
    if (field === 'event') this.#type = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #dispatch(): Message | undefined {
    const message = { id: this.#id, type: this.#type || 'message', data: this.#data.join('\n') };
    const complete = this.#data.length > 0;
    this.#type = '';
    this.#data = [];
    return complete ? message : undefined;
  }
}

/**
 * Yields the messages of a response until it ends or is silent for too long, and closes it when the caller stops reading.
 * @throws ApiError `network` if the connection is lost
 */
export async function* messages(
  { body, url }: Response,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, undefined> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const close = () => void reader.cancel().catch(() => {});
  const lost = (cause: unknown) => {
    signal?.throwIfAborted();
    throw networkError(url, cause);
  };
  const parser = new EventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      // A connection that a network dropped without a word would be waited for forever.
      const timer = setTimeout(close, silenceMs);
      const read = await reader
        .read()
        .catch(lost)
        .finally(() => clearTimeout(timer));
      if (read.done) return;
      yield* parser.push(decoder.decode(read.value, { stream: true }));
    }
  } finally {
    close();
  }
}
