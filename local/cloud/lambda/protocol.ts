/** What a function's error looks like on the wire (Lambda's Invoke API, `X-Amz-Function-Error`). */
export interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** What an execution environment is started with. */
export interface WorkerData {
  readonly codeDir: string;
  /** `<file without extension>.<export>` */
  readonly handler: string;
}

/** To the worker: run the handler once. */
export interface InvokeMessage {
  readonly type: 'invoke';
  readonly requestId: string;
  readonly functionArn: string;
  /** JSON. */
  readonly event: string;
  /** Unix time in milliseconds. */
  readonly deadline: number;
}

/** To the worker: the chunk was taken, the next may come. */
export interface AckMessage {
  readonly type: 'ack';
}

export type ToWorker = InvokeMessage | AckMessage;

/** From the worker. A buffered answer is one chunk; every chunk waits for its ack. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'initError'; readonly error: ErrorPayload }
  | { readonly type: 'chunk'; readonly data: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly error: ErrorPayload };

/** A chunk without bytes, which no handler sends: the response stream has ended. */
export const END_OF_STREAM = new Uint8Array(0);
