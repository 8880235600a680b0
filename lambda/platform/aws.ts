import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterRunning } from './clock.ts';

/** Returns the settings of a client. Each client gets a handler, and with it connections, of its own. */
const attempts = (maxAttempts: number, milliseconds: number) => ({
  maxAttempts,
  get requestHandler() {
    return new PatientHandler(milliseconds);
  },
});

/**
 * Settings of AWS clients: three attempts that together end well within 10 s, before callers give up waiting for the
 * error.
 */
export const CLIENT = attempts(3, 3_000);

/**
 * Settings for changes of CloudFront's resources, which can take seconds: a second attempt of one that succeeded would fail, because
 * what it creates exists.
 */
export const CONTROL = attempts(2, 10_000);

/** Settings for the calls that every request waits for: two attempts that together end within 3 s. */
export const QUICK = attempts(2, 1_300);

/**
 * Settings for the reads of a visit: two attempts that together end within a second. CloudFront serves the page that it has
 * after a 5xx, but not after the 429 of a function whose concurrency is filled by visits that wait.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
export const VISIT = attempts(2, 450);

/** Returns a client that takes plain JavaScript values and omits undefined fields from items. */
export function documentClient(settings: typeof CLIENT = CLIENT): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(settings), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/**
 * Sends the requests of an AWS client, and gives up waiting for the headers of a response after a time in which this process could run:
 * a deadline by the clock would fail requests on a busy machine although the service works.
 */
export class PatientHandler extends NodeHttpHandler {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    super();
    this.#milliseconds = milliseconds;
  }

  /** @throws an error named TimeoutError, which the SDK retries */
  override async handle(...[request, options]: Parameters<NodeHttpHandler['handle']>) {
    const deadline = new AbortController();
    const cancel = afterRunning(this.#milliseconds, () => deadline.abort());
    const { abortSignal } = options ?? {};
    const signals = [deadline.signal, ...(abortSignal instanceof AbortSignal ? [abortSignal] : [])];
    try {
      return await super.handle(request, { ...options, abortSignal: AbortSignal.any(signals) });
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      const message = `No response from ${request.hostname} within ${this.#milliseconds} ms`;
      throw Object.assign(new Error(message), { name: 'TimeoutError' });
    } finally {
      cancel();
    }
  }
}
