import { tokensOf } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { DeadlineError, type Deadlines, withDeadlines } from './deadlines.ts';
import { StorageAway } from './file-writer.ts';
import type { Outcome } from './job.ts';
import { OutputParser, type WrittenFile } from './output-parser.ts';
import {
  type FailureKind,
  type PassRequest,
  type PlannedFile,
  type Provider,
  ProviderFailure,
} from './providers/provider.ts';

/** How a pass ended, and what it brought. */
export interface PassResult {
  /** Undefined when somebody else aborted it. */
  readonly outcome: Outcome | undefined;
  /** For everybody: no words of a vendor's, which may name accounts, quotas and hosts. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  /** What happened, for the log. */
  readonly cause?: unknown;
  /** Complete files, in the order of their first appearance. */
  readonly files: readonly WrittenFile[];
  readonly plan: readonly PlannedFile[];
  /** Estimate of the answer's tokens. */
  readonly tokens: number;
}

/** An answer that is larger than any deployment is no project. */
const ANSWER_CHARACTERS = 2 * LIMITS.deploymentBytes;

type Ending = Pick<PassResult, 'outcome' | 'reason' | 'retryAfterSeconds' | 'cause'>;

const FAILURES: Readonly<Record<FailureKind, string>> = {
  overloaded: 'The provider is overloaded, or limits how often it is asked',
  credentials: 'The provider does not accept the credentials that it is given',
  refused: 'The provider refused to answer',
  failed: 'The call of the provider failed',
};

/**
 * Lets a provider answer one request. Never throws for what the provider does: that is the outcome.
 * @param giveUp aborts the provider; somebody else's abort ends the pass without an outcome
 * @param onFiles told of files as soon as they are complete
 */
export async function runPass(
  provider: Provider,
  request: PassRequest,
  deadlines: Deadlines,
  giveUp: AbortController,
  onFiles: (files: readonly WrittenFile[]) => void,
): Promise<PassResult> {
  const parser = new OutputParser(request.files.map(({ path }) => path));
  let characters = 0;
  let ending: Ending;
  try {
    let reason: string | undefined;
    for await (const event of withDeadlines(provider.write(request, giveUp.signal), giveUp, deadlines)) {
      if (event.type === 'end') reason = event.reason;
      if (event.type !== 'text') continue;
      characters += event.text.length;
      onFiles(parser.feed(event.text));
      if (characters > ANSWER_CHARACTERS) throw new ProviderFailure('failed', 'The answer does not end');
    }
    onFiles(parser.end());
    ending = endingOf(reason, parser, request);
  } catch (error) {
    ending = failureOf(error, giveUp.signal);
  }
  giveUp.abort();
  const tokens = tokensOf(characters);
  return {
    ...ending,
    files: [...parser.files.values()],
    plan: request.pass === 'plan' ? parser.plan : [],
    tokens,
  };
}

/** An answer is complete only by its end marker and the finish reason; a plan by its own marker. */
function endingOf(reason: string | undefined, parser: OutputParser, { pass }: PassRequest): Ending {
  const planned = pass === 'plan' && parser.plan.length > 0;
  if (reason === 'refused') return { outcome: 'refused', reason: 'The model refused to answer' };
  if (planned) return { outcome: 'succeeded' };
  if (parser.files.size === 0) return { outcome: 'unusable', reason: 'The answer has no complete file' };
  if (reason === 'length')
    return { outcome: 'cut_off', reason: 'The answer ran into the length limit of the model' };
  if (reason === undefined)
    return { outcome: 'cut_off', reason: 'The connection ended before the answer did' };
  if (!parser.done) return { outcome: 'cut_off', reason: 'The answer lacks its end marker' };
  return { outcome: 'succeeded' };
}

function failureOf(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) {
    const { reason } = signal;
    if (reason instanceof DeadlineError) return { outcome: reason.outcome, reason: reason.message };
    if (reason instanceof StorageAway) return interrupted(reason);
    return { outcome: undefined };
  }
  if (!(error instanceof ProviderFailure)) {
    return { outcome: 'failed', reason: 'Something went wrong on our side', cause: error };
  }
  const { kind, retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { outcome: kind, reason: FAILURES[kind], cause: error.message, ...later };
}

/** How an attempt ends whose files cannot be stored. */
export function interrupted({ message, cause }: StorageAway): Ending {
  return { outcome: 'interrupted', reason: message, cause };
}
