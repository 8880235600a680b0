import type { OriginProperties } from './properties.ts';

/** The custom headers of an origin. */
export type OriginHeaders = OriginProperties['OriginCustomHeaders'];

/** Returns the custom headers of origins, by the id of the origin. */
export function headersOf(origins: readonly OriginProperties[]): ReadonlyMap<string, OriginHeaders> {
  return new Map(origins.map(({ Id, OriginCustomHeaders }) => [Id, OriginCustomHeaders]));
}
