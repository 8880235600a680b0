/** Subject and scopes of a token. */
export interface VerifiedToken {
  /** `token:<hash of issuer and subject>`: stable per subject without revealing it. */
  readonly id: string;
  /** Without the issuer's prefix. */
  readonly scopes: readonly string[];
}

export type TokenVerifier = (token: string) => Promise<VerifiedToken>;
