import type { ReasoningEffort } from '../../contract/providers.ts';
import { refusedRequest } from './failure.ts';
import type { ProviderEvent } from './provider.ts';

/** Features of requests that a vendor or a model may refuse. */
export type Feature = 'max_tokens' | 'stream_options' | 'reasoning summary' | 'cache marks';

/** The options of a call that vendors and models support differently. */
export interface CallOptions {
  readonly maxOutputTokens: number;
  /** `undefined` leaves it to the model. */
  readonly reasoning: ReasoningEffort | undefined;
  /** Features that the vendor has refused. */
  readonly without: readonly Feature[];
}

/** Recognizes a refusal by its text and returns options that avoid it. */
export interface Rule {
  readonly pattern: RegExp;
  /** Whether later calls will be refused as well; false if the refusal depends on the length of the prompt. */
  readonly lasting: boolean;
  adapt(options: CallOptions, match: RegExpExecArray): CallOptions;
}

/** Returns a rule that leaves out a feature. */
export function without(feature: Feature, pattern: RegExp): Rule {
  return {
    pattern,
    lasting: true,
    adapt: (options) =>
      options.without.includes(feature) ? options : { ...options, without: [...options.without, feature] },
  };
}

/** Maximum number of repetitions of one call. */
const MAX_ADAPTATIONS = 4;

/** What vendors have refused, by the configuration of the provider, which is the same object in every call of a warm function. */
const learned = new WeakMap<object, CallOptions>();

/** Returns the limit of output tokens that the vendor's refusals have taught; undefined if there were none. */
export function learnedOutputTokens(config: object): number | undefined {
  return learned.get(config)?.maxOutputTokens;
}

/**
 * Yields the events of a call. If the vendor refuses the request for a reason that a rule recognizes, calls again at once with
 * adapted options.
 * @param config the provider's configuration, for which lasting adaptations are remembered
 * @param confidential see `refusedRequest`
 */
export async function* callAdapting(
  config: object,
  initial: CallOptions,
  rules: readonly Rule[],
  confidential: readonly string[],
  call: (options: CallOptions) => AsyncIterable<ProviderEvent>,
): AsyncGenerator<ProviderEvent> {
  // Calls at the same time learn the same: none of them adapts what another one has adapted.
  let lasting = learned.get(config) ?? initial;
  let options = lasting;
  for (let left = MAX_ADAPTATIONS; ; left--) {
    let hasStarted = false;
    try {
      for await (const event of call(options)) {
        hasStarted = true;
        yield event;
      }
      return;
    } catch (error) {
      const refusal = hasStarted || left === 0 ? undefined : refusedRequest(error, confidential);
      const found = refusal === undefined ? undefined : adaptation(options, refusal, rules);
      if (!found) throw error;
      options = found.rule.adapt(options, found.match);
      if (!found.rule.lasting) continue;
      lasting = found.rule.adapt(lasting, found.match);
      learned.set(config, lasting);
    }
  }
}

/** Returns the first rule that recognizes the refusal and changes the options: another repetition would be refused again. */
function adaptation(options: CallOptions, refusal: string, rules: readonly Rule[]) {
  for (const rule of rules) {
    const match = rule.pattern.exec(refusal);
    if (match && rule.adapt(options, match) !== options) return { rule, match };
  }
  return undefined;
}
