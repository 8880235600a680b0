import type { Duration, OriginalRequest } from '../../contract/generate.ts';
import type { LookWidth } from '../../contract/looks.ts';
import type { MostTokens, Price, TokenUsage } from '../../contract/prices.ts';
import type { AttemptKind } from '../../contract/responses/generate.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import type {
  ExistingFile,
  Plan,
  PlannedFile,
  ProjectImage,
  UnfinishedFile,
} from '../../stored/projects/stored-project.ts';

/** The request of one attempt to a provider. */
export interface AttemptRequest {
  readonly prompt: string;
  readonly duration: Duration;
  /**
   * `write` asks for files, `repair` for corrections of the existing ones, `review` for what the page lacks of the
   * request.
   */
  readonly kind: AttemptKind;
  /** Whether the prompt asks for a change of a project that existed before. */
  readonly edits: boolean;
  /** Whether the project is, or may become, source that is built, such as a React project. */
  readonly source?: boolean;
  /** The abilities of the site's data; undefined if sites of the stage have none. */
  readonly data?: DataFeatures | undefined;
  /** Whether the answer changes existing files: in an edit or a repair. */
  readonly amends: boolean;
  /** Unix milliseconds of the request of the generation. */
  readonly date: number;
  /** The existing files; only a repair or an edit writes them again. */
  readonly files: readonly ExistingFile[];
  /** Images of the caller that are files of the project: bytes, or text if they are SVG. No attempt changes them. */
  readonly images: readonly ProjectImage[];
  /** In an edit, the paths that the generation wrote or deleted already. */
  readonly changed: readonly string[];
  /** Patterns of paths that must not change. */
  readonly locked: readonly string[];
  /** The request that first generated the project to change; undefined without a change, or if it is unknown. */
  readonly origin?: OriginalRequest | undefined;
  /** The plan of the project; undefined without one. */
  readonly plan?: Plan | undefined;
  /** The planned files that this answer is to have; empty without a plan. */
  readonly unwritten: readonly PlannedFile[];
  /** The file in which the answer before this one ended. */
  readonly unfinished?: UnfinishedFile | undefined;
  /** The mistake in the format of the last answer, as one sentence; undefined if it was readable. */
  readonly reminder?: string | undefined;
  /** How many answers may be written at the same time, if the project has a plan with groups. */
  readonly parallel: number;
  /** Characters per second that the provider wrote lately; undefined if that is unknown. */
  readonly pace?: number | undefined;
  /** For a repair: the problems to correct, one sentence each. For a review: the problems that were found. */
  readonly problems: readonly string[];
  /** For a review: PNG images of the page, by its width in CSS pixels. */
  readonly screenshots?: ReadonlyMap<LookWidth, Uint8Array> | undefined;
}

/** An event of a provider's stream. */
export type ProviderEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The model works without output, as while it reasons. A keep-alive frame of the wire protocol does not count. */
  | { readonly type: 'activity' }
  /** The tokens of the call as the vendor counted them, before the end. A vendor may not report them. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** The last event, with the finish reason of the model. A stream without it was cut off. */
  | {
      readonly type: 'end';
      readonly reason: 'complete' | 'length' | 'refused';
      /** Why the provider refuses, for callers. */
      readonly refusal?: string;
      /** Why the answer has no text, for callers. */
      readonly silence?: string;
      /** The kind of the starter, null if none fits the prompt; only providers that choose a starter report it. */
      readonly matched?: string | null;
    };

/** Writes projects: an LLM behind an adapter, or the embedded blueprint. */
export interface Provider {
  /** The variant in the response's `model`: the vendor's name of the model, or `blueprint`. */
  readonly model: string;
  /**
   * Whether the model may think for long without sending an event, before its first text and between two `activity`
   * events. Callers then wait for the first text up to the total timeout, because its absence does not mean a failure.
   */
  readonly quiet: boolean;
  /** False if it cannot correct a project: the embedded provider would write the same again. */
  readonly repairs?: false;
  /** Whether the model accepts images. By default, it does not. */
  readonly images?: boolean;
  /** Maximum number of calls of one generation that run at the same time. */
  readonly parallel: number;
  /**
   * Whether calls cost nothing: the embedded providers, and servers at private addresses without a configured price.
   */
  readonly isFree: boolean;
  /** The price of calls; undefined if the provider is free or its price is not known. */
  readonly price?: Price | undefined;
  /** Returns the most tokens that a call for this request can use, to reserve them; none if the provider is free. */
  mostTokens(request: AttemptRequest): MostTokens;
  /**
   * Streams an answer in the output protocol (`output-parser.ts`), in chunks of any size.
   * @param signal when aborted, the provider stops its own request as well
   * @throws ProviderFailure if the provider rejects the request; any other error counts as `failed`
   */
  write(request: AttemptRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
}

/** The members that all free providers share. */
export const FREE = { isFree: true, mostTokens: (): MostTokens => ({ input: 0, output: 0 }) } as const;

/** Why a provider did not answer, grouped by what a caller or an operator can do about it. */
export type FailureKind =
  | 'overloaded'
  | 'credentials'
  /** The account has no credit left, or no quota until an operator raises it: waiting does not help. */
  | 'quota'
  | 'refused'
  /** No connection was made. */
  | 'unreachable'
  /** Nothing serves the address, or it has no such model. */
  | 'not found'
  /** The request itself is wrong for it, such as one that is too large for the model: it would reject it again. */
  | 'rejected'
  /** A page for people, such as the log-in page of a proxy. */
  | 'web page'
  /** A success that is neither a stream nor an answer. */
  | 'unreadable'
  /** A stream without any text that ended without a finish reason. */
  | 'empty'
  | 'failed';

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: FailureKind;
  /** How long the provider asks callers to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the provider rejected the request, or never got it: such a call costs nothing. */
  readonly isRejected: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    extra: { retryAfterSeconds?: number | undefined; isRejected?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.kind = kind;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.isRejected = extra.isRejected ?? false;
  }
}
