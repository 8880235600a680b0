/** The payload of a function error (Lambda's Invoke API, `X-Amz-Function-Error`). */
export interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** The parameters of an execution environment. */
export interface WorkerData {
  readonly codeDir: string;
  /** `<file without extension>.<export>` */
  readonly handler: string;
  /** Port of the front door on this host; without it, the function reaches no API of API Gateway. */
  readonly frontDoorPort?: number;
  /** Address of the resolver for `dns.resolve…`; without it, that of the machine. */
  readonly dnsServer?: string;
  /** Folder with compiled modules, which save a fifth of an init. */
  readonly compileCache?: string;
}

/** Tells the worker to run the handler once. */
export interface InvokeMessage {
  readonly type: 'invoke';
  readonly requestId: string;
  readonly functionArn: string;
  /** JSON. */
  readonly event: string;
  readonly tenantId?: string;
  readonly timeoutMs: number;
}

/** Tells the worker to send the next chunk. */
export interface AckMessage {
  readonly type: 'ack';
}

export type ToWorker = InvokeMessage | AckMessage;

/** Messages from the worker. A buffered response is one chunk. Every chunk waits for its ack. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'initError'; readonly error: ErrorPayload }
  | { readonly type: 'chunk'; readonly data: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly error: ErrorPayload };

/** An empty chunk, which no handler sends, marks the end of the response stream. */
export const END_OF_STREAM = new Uint8Array(0);
