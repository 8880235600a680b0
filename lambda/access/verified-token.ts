/** Who presents a token, and what for. */
export interface VerifiedToken {
  /** `token:<hash of issuer and subject>`: the same for every token of a subject, and it tells nobody who that is. */
  readonly id: string;
  /** As we name them, without the issuer's prefix. */
  readonly scopes: readonly string[];
}

export type TokenVerifier = (token: string) => Promise<VerifiedToken>;
