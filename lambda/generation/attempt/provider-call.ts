import { tokensOf } from '../../contract/generate.ts';
import type { TokenUsage } from '../../contract/prices.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import { pathKey } from '../../sites/paths.ts';
import type { UnfinishedFile } from '../../stored/projects/stored-project.ts';
import type { Deadlines } from '../durations.ts';
import {
  type AttemptRequest,
  type FailureKind,
  type Provider,
  type ProviderEvent,
  ProviderFailure,
} from '../providers/provider.ts';
import { Answer, type CallObserver, EndlessAnswer } from './answer/answer.ts';
import { StorageUnreachable } from './file-writer.ts';

export interface ProviderResult {
  /** Undefined when the call was aborted from outside. */
  readonly outcome: AttemptOutcome | undefined;
  /** Shown to callers, so without the vendor's own words: those may name accounts, quotas and hosts. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  /** Whether the provider would reject the same request again. */
  readonly isUnacceptable?: true;
  /** The details, for the log. */
  readonly cause?: unknown;
  /** Changes that were not made: the reason by path. */
  readonly rejected: Readonly<Record<string, string>> | undefined;
  /** The file in which the answer ended, if it has more lines of it than before. */
  readonly unfinished: UnfinishedFile | undefined;
  readonly matched: string | null | undefined;
  /** Estimated tokens of the answer. */
  readonly tokens: number;
  /** The tokens of the call as the provider counted them; undefined if it did not say. */
  readonly usage: TokenUsage | undefined;
  /** Whether the provider rejected the request, or never got it. */
  readonly isRejected: boolean;
  /** Characters per second while the answer arrived; undefined if it is too short to tell. */
  readonly pace: number | undefined;
}

export type Ending = Pick<ProviderResult, 'outcome' | 'reason' | 'retryAfterSeconds' | 'isUnacceptable' | 'cause'>;

const FAILURES: Readonly<Record<FailureKind, readonly [AttemptOutcome, string]>> = {
  overloaded: ['overloaded', 'The provider is overloaded or limits the request rate'],
  credentials: ['credentials', 'The provider rejects the configured credentials'],
  quota: ['credentials', 'The credit or the quota of the provider is used up'],
  refused: ['refused', 'The provider refused the request'],
  unreachable: ['failed', 'The provider cannot be reached'],
  'not found': ['failed', 'The provider does not know the configured address or model'],
  rejected: ['failed', 'The provider rejects the request, for a reason that the log of the operator has'],
  'web page': ['failed', 'The address of the provider responds with a web page'],
  unreadable: ['failed', 'The response of the provider cannot be read'],
  empty: ['failed', 'The response of the provider ended without any text'],
  failed: ['failed', 'The call to the provider failed'],
};

/**
 * Calls a provider once. Never throws for an error of the provider: that is the outcome.
 * @param abort stops the provider; an abort from outside ends the call without an outcome
 */
export async function callProvider(
  provider: Provider,
  request: AttemptRequest,
  deadlines: Deadlines,
  abort: AbortController,
  observer: CallObserver,
): Promise<ProviderResult> {
  const answer = new Answer(request, observer);
  let ending: Ending;
  let end: EndEvent | undefined;
  let usage: TokenUsage | undefined;
  let isRejected = false;
  let hasThought = false;
  try {
    const events = provider.write(request, abort.signal);
    const counted = provider.quiet ? withoutActivity(events) : events;
    for await (const event of withDeadlines(counted, abort, deadlines, () => answer.parser.isEnded)) {
      if (event.type === 'end') end = event;
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'activity') hasThought = true;
      if (event.type !== 'text') continue;
      answer.add(event.text);
      if (answer.isComplete) break;
    }
    answer.end(!answer.isOver && !answer.parser.done && end?.reason !== 'complete');
    ending = endingOf(end?.reason, answer, request, hasThought);
    const own = end?.refusal ?? (ending.outcome === 'unusable' ? end?.silence : undefined);
    if (own !== undefined) ending = { ...ending, reason: own };
  } catch (error) {
    answer.end(!answer.parser.done);
    ending = failureOf(error, answer, request, abort.signal);
    isRejected = error instanceof ProviderFailure && error.isRejected;
  }
  abort.abort();
  return {
    ...ending,
    rejected: rejectedBy(answer, request, ending),
    unfinished: ending.outcome === 'unusable' ? undefined : answer.unfinished,
    matched: end?.matched,
    tokens: tokensOf(answer.characters),
    usage,
    isRejected,
    pace: answer.pace,
  };
}

/** Leaves out the signs that a quiet model thinks: they come too rarely to wait for the next one. */
async function* withoutActivity(events: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent> {
  for await (const event of events) if (event.type !== 'activity') yield event;
}

type EndEvent = Extract<ProviderEvent, { type: 'end' }>;

/**
 * Returns the changes to send back: none of a review, of which nothing was asked for, and for a new project none of a
 * repair, nor the images of the caller, which stay as they are.
 */
function rejectedBy(
  { parser }: Answer,
  { edits, kind, images }: AttemptRequest,
  { outcome }: Ending,
): ProviderResult['rejected'] {
  if (kind === 'review' || (!edits && (kind !== 'write' || outcome === 'unusable'))) return undefined;
  const given = new Set(edits ? [] : images.map(({ path }) => pathKey(path)));
  const rejected = [...parser.rejected].filter(([path]) => !given.has(pathKey(path)));
  return rejected.length > 0 ? Object.fromEntries(rejected) : undefined;
}

/**
 * Returns how a call ended. After the end marker nothing can be missing, whatever the finish reason is; without it, the
 * answer was cut off.
 * @param hasThought whether the model reasoned
 */
function endingOf(reason: string | undefined, answer: Answer, request: AttemptRequest, hasThought: boolean): Ending {
  const { parser, changeCount, isOver, isUseful } = answer;
  if (isOver) return { outcome: 'succeeded' };
  if (reason === 'refused' && !(parser.done && isUseful))
    return { outcome: 'refused', reason: 'The model refused to answer' };
  const rejected = request.edits && parser.rejected.size > 0;
  const onlyPlanned = changeCount === 0 && parser.plan.files.length > 0;
  const wasAll = parser.done && isContinuation(request);
  const isBegun = !parser.done && (reason === undefined ? answer.characters > 0 : parser.isPlanning);
  const isApproved = request.kind === 'review' && (reason === 'complete' || parser.done) && isEmpty(answer);
  if (isApproved) return { outcome: 'succeeded' };
  if (!isUseful && !rejected && !wasAll && !onlyPlanned && !isBegun)
    return { outcome: 'unusable', reason: unusable(answer, request, hasThought) };
  if (parser.done) return { outcome: 'succeeded' };
  if (reason === 'length') return { outcome: 'cut_off', reason: 'The answer reached the length limit of the model' };
  if (reason === undefined) return { outcome: 'cut_off', reason: 'The connection ended before the answer did' };
  return { outcome: 'cut_off', reason: 'The answer has no end marker' };
}

/** Returns why nothing of an answer can be kept. The next request to the same model quotes it. */
function unusable(
  { parser, characters, formatProblem }: Answer,
  { amends }: AttemptRequest,
  hasThought: boolean,
): string {
  const [rejected] = parser.rejected;
  if (rejected) return `The answer has no usable file: ${rejected[0]} ${rejected[1]}`;
  if (characters === 0) return hasThought ? 'The model reasoned, but wrote no answer' : 'The answer is empty';
  if (parser.isThinking) return 'The answer ends while the model is still thinking';
  if (amends && (parser.hasMarkers || parser.done)) return 'The answer changes nothing';
  if (!parser.hasMarkers) return `The answer is not in the required format: ${formatProblem}`;
  return 'The answer has no complete file';
}

/** Whether an answer does not even try to change anything; a model may say why. */
function isEmpty({ changeCount, parser }: Answer): boolean {
  return changeCount === 0 && parser.rejected.size === 0 && parser.path === undefined;
}

/** Whether an answer may find that nothing was missing from those that it continues. */
function isContinuation({ edits, kind, changed, unwritten, unfinished }: AttemptRequest): boolean {
  return (edits || kind === 'write') && changed.length > 0 && unwritten.length === 0 && !unfinished;
}

function failureOf(error: unknown, answer: Answer, request: AttemptRequest, signal: AbortSignal): Ending {
  const { reason } = signal;
  if (signal.aborted) {
    if (reason instanceof StorageUnreachable) return interruptedEnding(reason);
    if (!(reason instanceof DeadlineError)) return { outcome: undefined };
  }
  if (answer.parser.done || answer.isOver) return endingOf(undefined, answer, request, false);
  if (reason instanceof DeadlineError) {
    // A provider that is still writing goes on in the next call.
    const isWriting = reason.outcome === 'timed_out' && answer.isUseful;
    return { outcome: isWriting ? 'cut_off' : reason.outcome, reason: reason.message };
  }
  if (error instanceof EndlessAnswer) return { outcome: 'unusable', reason: error.message };
  if (!(error instanceof ProviderFailure)) {
    return { outcome: 'failed', reason: 'The service failed internally', cause: error };
  }
  const { kind, retryAfterSeconds, message: cause } = error;
  const [outcome, words] = FAILURES[kind];
  if (outcome === 'failed' && answer.characters > 0)
    return { outcome: 'cut_off', reason: 'The connection broke before the answer ended', cause };
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { outcome, reason: words, cause, ...later, ...(kind === 'rejected' && { isUnacceptable: true }) };
}

/** The ending of an attempt whose files cannot be stored. */
export function interruptedEnding({ message, cause }: StorageUnreachable): Ending {
  return { outcome: 'interrupted', reason: message, cause };
}

/** A provider missed a deadline. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly outcome: 'timed_out' | 'silent';

  constructor(outcome: 'timed_out' | 'silent', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** How long more is waited for after the end marker: the finish reason and the usage follow at once. */
const AFTER_END_MS = 1_000;

/**
 * Yields the events of `source` while it meets the deadlines. A source that ignores its signal is abandoned.
 * @param abort aborted when a deadline has passed; when it is aborted from outside, its reason is thrown
 * @param isDone whether the end marker has arrived
 * @throws DeadlineError
 */
async function* withDeadlines<T>(
  source: AsyncIterable<T>,
  abort: AbortController,
  { totalMs, firstMs, stallMs }: Deadlines,
  isDone: () => boolean,
): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const end = (outcome: 'timed_out' | 'silent', what: string, ms: number) =>
    abort.abort(new DeadlineError(outcome, `${what} within ${Math.round(ms / 100) / 10} s`));
  const total = setTimeout(end, totalMs, 'timed_out', 'Not done', totalMs);
  let silence = setTimeout(end, firstMs, 'silent', 'No first token', firstMs);
  try {
    while (true) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done) return;
      clearTimeout(silence);
      yield value;
      const waitMs = isDone() ? Math.min(AFTER_END_MS, stallMs) : stallMs;
      silence = setTimeout(end, waitMs, 'silent', 'No further token', waitMs);
    }
  } finally {
    clearTimeout(total);
    clearTimeout(silence);
  }
}
