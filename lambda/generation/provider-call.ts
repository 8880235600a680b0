import { tokensOf } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { DeadlineError, type Deadlines, withDeadlines } from './deadlines.ts';
import { lockedProblem, refusal as refusalOf } from './edits/accept-change.ts';
import { StorageUnreachable } from './file-writer.ts';
import type { Outcome } from './generation.ts';
import { OutputParser } from './output-parser.ts';
import type { Change, PlannedFile } from './project.ts';
import {
  type AttemptRequest,
  type FailureKind,
  type Provider,
  ProviderFailure,
} from './providers/provider.ts';

/** The result of one call of a provider. */
export interface ProviderResult {
  /** Undefined when the call was aborted from outside. */
  readonly outcome: Outcome | undefined;
  /** Shown to callers, so without the vendor's own words: those may name accounts, quotas and hosts. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  /** The details, for the log. */
  readonly cause?: unknown;
  /** Complete files and deletions, one for each path. */
  readonly changes: readonly Change[];
  /** Changes that were not made: the reason by path. */
  readonly rejected: Readonly<Record<string, string>> | undefined;
  readonly plan: readonly PlannedFile[];
  readonly matched: string | null | undefined;
  /** Estimated tokens of the answer. */
  readonly tokens: number;
}

/** An answer larger than any deployment is not a project. */
const MAX_CHARACTERS = 2 * LIMITS.deploymentBytes;

type Ending = Pick<ProviderResult, 'outcome' | 'reason' | 'retryAfterSeconds' | 'cause'>;

const FAILURES: Readonly<Record<FailureKind, string>> = {
  overloaded: 'The provider is overloaded or limits the request rate',
  credentials: 'The provider rejects the configured credentials',
  refused: 'The provider refused the request',
  failed: 'The call to the provider failed',
};

/**
 * Calls a provider once. Never throws for an error of the provider: that is the outcome.
 * @param abort stops the provider; an abort from outside ends the call without an outcome
 * @param onChanges called with files and deletions as soon as they are complete
 */
export async function callProvider(
  provider: Provider,
  request: AttemptRequest,
  deadlines: Deadlines,
  abort: AbortController,
  onChanges: (changes: readonly Change[]) => void,
): Promise<ProviderResult> {
  const { edits, locked } = request;
  const parser = edits
    ? new OutputParser(request.files, (...change) => refusalOf(...change, locked), request.changed)
    : new OutputParser(request.files, ({ path }) => lockedProblem(path, locked));
  const news = changedSince(request);
  let made = 0;
  const take = (completed: readonly Change[]) => {
    const changes = edits ? news(completed) : completed;
    made += changes.length;
    onChanges(changes);
  };
  let characters = 0;
  let reason: string | undefined;
  let matched: string | null | undefined;
  let refusal: string | undefined;
  let ending: Ending;
  try {
    for await (const event of withDeadlines(provider.write(request, abort.signal), abort, deadlines)) {
      if (event.type === 'end') ({ reason, matched, refusal } = event);
      if (event.type !== 'text') continue;
      characters += event.text.length;
      take(parser.feed(event.text));
      if (characters > MAX_CHARACTERS) throw new ProviderFailure('failed', 'The answer does not end');
    }
    take(parser.end(reason !== 'complete'));
    ending = endingOf(reason, parser, request, made);
    if (refusal !== undefined) ending = { ...ending, reason: refusal };
  } catch (error) {
    ending = failureOf(error, abort.signal);
  }
  abort.abort();
  const tokens = tokensOf(characters);
  return {
    ...ending,
    changes: parser.changes,
    rejected: edits && parser.rejected.size > 0 ? Object.fromEntries(parser.rejected) : undefined,
    plan: request.kind === 'plan' ? parser.plan : [],
    matched,
    tokens,
  };
}

/** Returns a function that leaves out the changes that write a file as it was. */
function changedSince({ files }: AttemptRequest): (changes: readonly Change[]) => Change[] {
  const contents = new Map<string, string | null | undefined>(
    files.map(({ path, content }) => [path, content]),
  );
  return (changes) =>
    changes.filter(({ path, content }) => {
      const differs = contents.get(path) !== content;
      contents.set(path, content);
      return differs;
    });
}

/** An answer is complete only with its end marker and the right finish reason; a plan with its own marker. */
function endingOf(
  reason: string | undefined,
  parser: OutputParser,
  { kind, edits, changed }: AttemptRequest,
  made: number,
): Ending {
  const planned = kind === 'plan' && parser.plan.length > 0;
  if (reason === 'refused') return { outcome: 'refused', reason: 'The model refused to answer' };
  if (planned) return { outcome: 'succeeded' };
  const rejected = edits && parser.rejected.size > 0;
  // Nothing may have been missing from the change that this answer continues.
  const wasAll = edits && changed.length > 0 && parser.done;
  if (made === 0 && !rejected && !wasAll)
    return {
      outcome: 'unusable',
      reason: edits ? 'The answer changes nothing' : 'The answer has no complete file',
    };
  if (reason === 'length')
    return { outcome: 'cut_off', reason: 'The answer reached the length limit of the model' };
  if (reason === undefined)
    return { outcome: 'cut_off', reason: 'The connection ended before the answer did' };
  if (!parser.done) return { outcome: 'cut_off', reason: 'The answer has no end marker' };
  return { outcome: 'succeeded' };
}

function failureOf(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) {
    const { reason } = signal;
    if (reason instanceof DeadlineError) return { outcome: reason.outcome, reason: reason.message };
    if (reason instanceof StorageUnreachable) return interrupted(reason);
    return { outcome: undefined };
  }
  if (!(error instanceof ProviderFailure)) {
    return { outcome: 'failed', reason: 'The service failed internally', cause: error };
  }
  const { kind, retryAfterSeconds } = error;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { outcome: kind, reason: FAILURES[kind], cause: error.message, ...later };
}

/** The ending of an attempt whose files cannot be stored. */
export function interrupted({ message, cause }: StorageUnreachable): Ending {
  return { outcome: 'interrupted', reason: message, cause };
}
