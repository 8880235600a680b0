import type { ProviderName } from '../../lambda/contract/generate.ts';

/** The facts about the service in the page: the JSON of `#data`. */
export interface ConsoleData {
  /** Whether deployed pages have origins of their own: otherwise they could read what the console stores. */
  readonly isolated: boolean;
  /** Whether pages can be shown on domains of their owners. */
  readonly domains: boolean;
  /** Whether a browser looks at projects and deployments. */
  readonly looks: boolean;
  /** Configured providers in order, with their models. */
  readonly providers: readonly { readonly name: ProviderName; readonly model: string }[];
}
