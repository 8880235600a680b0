import type { ProviderName } from '../contract/generate.ts';

/** What is measured of an attempt while its answer arrives. */
export interface Measured {
  /** Milliseconds from the call to the first text. */
  readonly firstTokenMs?: number | undefined;
  /** Milliseconds from the call to the first complete file. */
  readonly firstFileMs?: number | undefined;
  /** Characters per second. */
  readonly pace?: number | undefined;
}

/** A provider in one generation, or its averages over the last ones. */
export interface Sample extends Measured {
  /** Micro-dollars of all attempts in a generation. */
  readonly cost?: number | undefined;
  /** Share of the attempts that failed, from 0 to 1. */
  readonly failures: number;
}

/** Decaying averages of a provider: the last five generations are about two thirds of them. */
export interface Averages extends Sample {
  /** Unix milliseconds of the last sample. */
  readonly at: number;
}

/** The averages of the providers that have been called. */
export type Lately = Partial<Record<ProviderName, Averages>>;
