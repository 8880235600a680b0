import { randomUUID } from 'node:crypto';
import { ApiError } from '../aws-http.ts';

interface Line {
  readonly group: string;
  readonly at: number;
  readonly message: string;
}

type Row = readonly { readonly field: string; readonly value: string }[];

/** The most lines that are kept in memory, of all groups together. */
const KEPT = 10_000;

/** The only query that the local cloud supports: lines that contain a text, in chronological order. */
const QUERY =
  /^fields @timestamp, @log, @message \| filter @message like "([^"\\]+)" \| sort @timestamp asc \| limit (\d+)$/;

/** The parts of CloudWatch Logs that a Logs Insights query needs. */
export class Logs {
  readonly #accountId: string;
  readonly #groups = new Set<string>();
  readonly #results = new Map<string, Row[]>();
  #lines: Line[] = [];

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  write(group: string, message: string, at = Date.now()): void {
    this.#groups.add(group);
    this.#lines.push({ group, at, message });
    if (this.#lines.length > 2 * KEPT) this.#lines = this.#lines.slice(-KEPT);
  }

  /** Returns the names of groups that begin with a prefix. Groups without lines are unknown. */
  groups(prefix: string): string[] {
    return [...this.#groups].filter((name) => name.startsWith(prefix)).toSorted();
  }

  /**
   * Runs a query, whose result is available immediately.
   * @param from in Unix seconds
   * @param to in Unix seconds
   */
  startQuery(groups: readonly string[], query: string, from: number, to: number): string {
    const [, text = '', limit] = QUERY.exec(query) ?? [];
    if (limit === undefined)
      throw new ApiError(400, 'MalformedQueryException', `The local cloud does not support the query ${query}`);
    const found = this.#lines.filter(
      ({ group, at, message }) =>
        groups.includes(group) && at >= from * 1_000 && at < (to + 1) * 1_000 && message.includes(text),
    );
    const id = randomUUID();
    this.#results.set(
      id,
      found.slice(0, Number(limit)).map((line) => this.#rowOf(line)),
    );
    return id;
  }

  /** Returns the result of a query, once. */
  resultsOf(queryId: string): Row[] {
    const rows = this.#results.get(queryId);
    if (rows === undefined) throw new ApiError(400, 'ResourceNotFoundException', `There is no query ${queryId}`);
    this.#results.delete(queryId);
    return rows;
  }

  #rowOf({ group, at, message }: Line): Row {
    return [
      { field: '@timestamp', value: new Date(at).toISOString().replace('T', ' ').slice(0, -1) },
      { field: '@log', value: `${this.#accountId}:${group}` },
      { field: '@message', value: message },
    ];
  }
}
