import type { TokenUsage } from '../../../lambda/contract/prices.ts';

/** One action of a vendor. The headers of a stream are sent with the first frame. */
export type Step =
  /** Waits this number of milliseconds. */
  | { readonly wait: number }
  /** Waits until the test lets it go on. */
  | { readonly until: Promise<unknown> }
  /** Sends a piece of the answer; with `bytewise`, every byte by itself. */
  | { readonly text: string; readonly bytewise?: true }
  /** Sends an answer in many pieces, at this number of characters per second. */
  | { readonly text: string; readonly pace: number }
  /** Sends a piece of the model's reasoning. */
  | { readonly reasoning: string }
  /** Sends a frame that this vendor or its infrastructure uses to keep the connection alive. */
  | 'keepAlive'
  /** Ends the answer with a finish reason. */
  | { readonly finish: Finish; readonly usage?: TokenUsage }
  /** Refuses the request in this vendor's way, before any text. */
  | 'refuse'
  /** Sends an error event in the stream. */
  | { readonly fault: Fault }
  /** Sends an error response instead of a stream. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Keeps the connection open without sending anything more. */
  | 'hang'
  /** Resets the connection. */
  | 'reset';

/** What vendors report unless the script says otherwise. */
export const USAGE: TokenUsage = { input: 25, cachedInput: 0, cacheWrite: 0, output: 15, reasoning: 0 };

export type Finish = 'complete' | 'length' | 'refused';
export type Fault = 'overloaded' | 'broken';

/** What the vendor's model does not support; everything else works. */
export interface Limits {
  /** Maximum number of output tokens. */
  readonly outputTokens?: number;
  /** Maximum number of tokens of the prompt, which has `PROMPT_TOKENS`, and the output. */
  readonly contextTokens?: number;
  /** Parameters that the server refuses, by their names in the body. */
  readonly refuses?: readonly string[];
}

export const PROMPT_TOKENS = 10_000;

/** A refusal of a request. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies differ by vendor
export type Body = any;

/** Returns the value at a path of a body, such as `reasoning.summary`. */
export const at = (body: Body, path: string): unknown => path.split('.').reduce((value, name) => value?.[name], body);

/** The wire protocol of one vendor, for one response. */
export interface Wire {
  /** Matches the path of a request for a stream. */
  readonly path: RegExp;
  /** The path in a configuration's `baseUrl`. */
  readonly basePath: string;
  readonly contentType: string;
  /** The frame before the first piece of an answer. */
  readonly start: () => Frame;
  readonly text: (text: string) => Frame;
  readonly reasoning: (text: string) => Frame;
  readonly keepAlive: () => Frame;
  readonly finish: (reason: Finish, usage: TokenUsage) => Frame;
  readonly refuse: () => Frame;
  readonly fault: (fault: Fault) => Frame;
  /** Returns why the vendor refuses a request, in its words. */
  readonly refusal: (body: Body, limits: Limits) => Refusal | undefined;
  /** The body of an error response without one in the script. */
  readonly error: (status: number, message: string) => string;
}

/** Bytes of the stream. */
export type Frame = string | Buffer;
