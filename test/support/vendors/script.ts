/** One thing that a vendor does. A stream's headers are sent with its first step that sends something. */
export type Step =
  /** Milliseconds in which nothing happens. */
  | { readonly wait: number }
  /** A piece of the answer; `bytewise` lets the network deliver every byte of it on its own. */
  | { readonly text: string; readonly bytewise?: true }
  /** A piece of what the model thinks before it answers. */
  | { readonly reasoning: string }
  /** What this vendor sends, or what its infrastructure may send, while it has nothing to say. */
  | 'keepAlive'
  /** How the model says that its answer is over. */
  | { readonly finish: Finish }
  /** The model refuses in this vendor's own way, before it has written anything. */
  | 'refuse'
  /** An error event in the stream, as a vendor sends one that is overloaded, or breaks. */
  | { readonly fault: Fault }
  /** The answer to the request is this instead of a stream. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Nothing ever happens again. */
  | 'hang'
  /** The connection breaks. */
  | 'reset';

export type Finish = 'complete' | 'length' | 'refused';
export type Fault = 'overloaded' | 'broken';

/** How one vendor says things on the wire, in one answer. */
export interface Wire {
  /** Whether a POST to this path asks for a streamed answer. */
  readonly path: RegExp;
  /** What a configuration's `baseUrl` has behind the server's address. */
  readonly basePath: string;
  readonly contentType: string;
  /** What comes before the first piece of an answer. */
  readonly start: () => Frame;
  readonly text: (text: string) => Frame;
  readonly reasoning: (text: string) => Frame;
  readonly keepAlive: () => Frame;
  readonly finish: (reason: Finish) => Frame;
  readonly refuse: () => Frame;
  readonly fault: (fault: Fault) => Frame;
  /** The body of an error of this status, when a script gives none. */
  readonly error: (status: number, message: string) => string;
}

/** Bytes of the stream. */
export type Frame = string | Buffer;
