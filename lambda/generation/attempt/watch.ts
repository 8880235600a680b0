import type { GenerationStore, Invocation } from '../generation-store.ts';
import type { Round } from './round.ts';

/** Interval of the checks for cancellation or takeover: a canceled generation stops its providers within two of them. */
export const WATCH_MS = 800;
/** So many checks are one that also writes what is being written. A write costs more than a read. */
const CHECKS_PER_REPORT = 3;

/**
 * Stops a round when its generation is canceled or another invocation owns it, and reports the files that are being written.
 * @returns a function that ends the watch
 */
export function watchRound(round: Round, invocation: Invocation, generations: GenerationStore): () => void {
  let checks = 0;
  let reported = '[]';
  const isOwned = async (): Promise<boolean> => {
    const { writing } = round;
    const report = JSON.stringify(writing);
    if (++checks % CHECKS_PER_REPORT === 0 && report !== reported) {
      reported = report;
      return (await generations.report(invocation, writing)) !== undefined;
    }
    const { invocationId } = await generations.get(invocation.id);
    return invocationId === invocation.invocationId;
  };
  const timer = setInterval(async () => {
    // While DynamoDB is unreachable, nobody else can own the generation either.
    if (!(await isOwned().catch(() => true))) round.stop();
  }, WATCH_MS);
  return () => clearInterval(timer);
}
