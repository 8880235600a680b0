import type { OperationName } from '../../../lambda/contract/operations.ts';

/** A request of an example. `$KEY`, `$PROJECT` and `$TOKEN` stand for values of the reader's own. */
export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whether the example follows redirects. */
  readonly follow?: boolean;
  /** The file that samples write the response to, or what it redirects to. */
  readonly saveAs?: string;
}

export interface ExampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request and its response, as sent and received by `npm run record-examples`. */
export interface Recording {
  readonly request: ExampleRequest;
  readonly response: ExampleResponse;
}

export type Recordings = Readonly<Record<OperationName, Recording>>;

/** Marks an omission: the last element of an array, or the end of a string. */
export const ELLIPSIS = '…';
