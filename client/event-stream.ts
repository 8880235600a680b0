import { throwNetworkError } from './http.ts';

/** A server-sent event, or a comment, which keeps a connection alive. @internal */
export type Message = { readonly id: string; readonly type: string; readonly data: string } | 'comment';

/** Parses an event stream that can be split anywhere (WHATWG HTML, 9.2.6). @internal */
export class EventParser {
  #rest = '';
  #afterReturn = false;
  #id = '';
  #type = '';
  #data: string[] = [];

  /** Takes a chunk and returns the events it completes. An empty line completes an event. */
  push(chunk: string): Message[] {
    if (chunk === '') return [];
    const text = this.#afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    this.#afterReturn = chunk.endsWith('\r');
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    // A chunk inside of a long line is only appended, so that no line is scanned once per chunk.
    const lines = end === 0 ? [] : (this.#rest + text.slice(0, end)).split(/\r\n|[\r\n]/).slice(0, -1);
    this.#rest = (end === 0 ? this.#rest : '') + text.slice(end);
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): Message | undefined {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (field === '') return 'comment';
    if (field === 'event') this.#type = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #dispatch(): Message | undefined {
    const [type, data] = [this.#type || 'message', this.#data];
    this.#type = '';
    this.#data = [];
    return data.length > 0 ? { id: this.#id, type, data: data.join('\n') } : undefined;
  }
}

/**
 * Yields the messages of a response until it ends or is silent for too long, and closes it when the caller stops reading.
 * @throws ApiError `network` if the connection is lost @internal
 */
export async function* messages(response: Response, silenceMs: number, signal: AbortSignal | undefined) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const close = () => void reader.cancel().catch(() => {});
  const parser = new EventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      // Some networks drop a connection without a word.
      const timer = setTimeout(close, silenceMs);
      const read = reader.read().finally(() => clearTimeout(timer));
      const { done, value } = await read.catch(throwNetworkError(response.url, signal));
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    close();
  }
}
