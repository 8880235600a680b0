import { type FunctionConfig, TooManyRequests } from './environment.ts';

/** The quota of a usual account. */
export const QUOTA = 1_000;

/** What Lambda keeps for functions without a reservation. */
const UNRESERVED_MINIMUM = 100;

type Concurrent = Pick<FunctionConfig, 'arn' | 'reservedConcurrency'>;

/**
 * The concurrency of an account. A function with a reservation has that share, and no more; all others share what is left.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export class AccountConcurrency {
  /** Free invocations, by the function that reserved them. */
  private readonly reserved: Map<string, number>;
  private unreserved: number;

  /** @throws Error if the reservations leave too little of the quota, as in a deploy */
  constructor(functions: readonly Concurrent[], quota: number) {
    this.reserved = new Map(
      functions.flatMap(({ arn, reservedConcurrency: share }) => (share === undefined ? [] : [[arn, share]])),
    );
    this.unreserved = [...this.reserved.values()].reduce((left, share) => left - share, quota);
    if (this.reserved.size > 0 && this.unreserved < UNRESERVED_MINIMUM)
      throw new Error(
        `The reserved concurrency of the functions leaves ${this.unreserved} of ${quota}: ` +
          `Lambda keeps ${UNRESERVED_MINIMUM} for functions without a reservation`,
      );
  }

  /** Takes an invocation of a function, until the returned function is called. @throws TooManyRequests */
  enter({ arn }: Concurrent): () => void {
    const share = this.reserved.get(arn);
    if (share === undefined) return this.enterUnreserved();
    if (share < 1) throw new TooManyRequests('ReservedFunctionConcurrentInvocationLimitExceeded');
    this.reserved.set(arn, share - 1);
    return () => this.reserved.set(arn, (this.reserved.get(arn) ?? 0) + 1);
  }

  private enterUnreserved(): () => void {
    if (this.unreserved < 1) throw new TooManyRequests('ConcurrentInvocationLimitExceeded');
    this.unreserved -= 1;
    return () => {
      this.unreserved += 1;
    };
  }
}
