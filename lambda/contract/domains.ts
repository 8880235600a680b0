/** The states of a domain, in the order in which it goes through them. */
export const DOMAIN_STATES = ['waiting_for_dns', 'issuing', 'active', 'failed', 'removing'] as const;

export type DomainState = (typeof DOMAIN_STATES)[number];
