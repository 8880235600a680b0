import type { Clock } from '../../platform/clock.ts';
import { emitMetrics, log } from '../../platform/log.ts';
import { isProviderFault } from '../averages.ts';
import type { Attempt, StoredUnfinished } from '../generation.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import { spentBy } from './attempt-cost.ts';
import type { Draft } from './draft.ts';
import { type FileWriter, StorageUnreachable } from './file-writer.ts';
import { type Ending, interruptedEnding, type ProviderResult } from './provider-call.ts';

export interface AttemptEndPorts {
  /** Id of the generation. */
  readonly id: string;
  readonly draft: Draft;
  readonly writer: FileWriter;
  readonly clock: Clock;
  readonly provider: Provider;
}

/** Stores what an attempt left, and returns how it ended. */
export async function endOf(
  started: Attempt,
  request: AttemptRequest,
  result: ProviderResult,
  { id, draft, writer, clock, provider: asked }: AttemptEndPorts,
): Promise<Attempt> {
  const { attempt, provider, startedAt } = started;
  const { unfinished, failure } = await storeRest(attempt, result, draft, writer);
  const error = failure?.cause ?? result.cause;
  if (error !== undefined) log.error('attempt failed', { generation: id, attempt, provider, error });
  const { outcome, reason } = failure ?? result;
  const ms = clock() - startedAt;
  const files = writer.count(attempt);
  log.info('attempt', {
    generation: id,
    attempt,
    provider,
    outcome,
    reason,
    ms,
    files,
    tokens: result.tokens,
  });
  countAttempt(provider, outcome);
  return {
    ...started,
    outcome,
    reason,
    ms,
    tokens: result.tokens,
    ...spentBy(asked, request, started, result),
    files,
    matched: result.matched,
    rejected: rejectedBy(result, writer),
    unfinished,
    retryAfterSeconds: result.retryAfterSeconds,
  };
}

/** Counts attempts that succeeded or failed by provider, except those that a caller or one of our limits ended. */
function countAttempt(Provider: string, outcome: Attempt['outcome']): void {
  if (outcome === 'succeeded') emitMetrics('Count', { AttemptsSucceeded: 1 }, { Provider });
  else if (outcome !== undefined && isProviderFault(outcome))
    emitMetrics('Count', { AttemptsFailed: 1 }, { Provider });
}

interface Rest {
  readonly unfinished?: StoredUnfinished;
  /** How the attempt ended if its files cannot be stored. */
  readonly failure?: Ending;
}

/** Waits until what an attempt wrote is stored, and stores its unfinished file. */
async function storeRest(
  attempt: number,
  { unfinished, outcome }: ProviderResult,
  draft: Draft,
  writer: FileWriter,
): Promise<Rest> {
  try {
    await writer.settled();
    if (unfinished === undefined || outcome === undefined) return {};
    if (!draft.takeUnfinished(unfinished)) return {};
    return { unfinished: await writer.storeUnfinished(unfinished, attempt) };
  } catch (error) {
    if (error instanceof StorageUnreachable) return { failure: interruptedEnding(error) };
    throw error;
  }
}

/** Returns the changes that were not made: those that the answer got wrong, and those for which there was no room. */
function rejectedBy({ rejected }: ProviderResult, writer: FileWriter): Attempt['rejected'] {
  return writer.rejected.size > 0 ? { ...rejected, ...Object.fromEntries(writer.rejected) } : rejected;
}
