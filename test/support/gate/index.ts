import { LOADERS as HELD_OUT_LOADERS } from './kits/held-out/loaders.ts';
import { LOGINS as HELD_OUT_LOGINS } from './kits/held-out/logins.ts';
import { MONEY as HELD_OUT_MONEY } from './kits/held-out/money.ts';
import { LOADERS } from './kits/known/loaders.ts';
import { LOGINS } from './kits/known/logins.ts';
import { MONEY } from './kits/known/money.ts';
import { ACCOUNTS as HELD_OUT_ACCOUNTS } from './legitimate/held-out/accounts.ts';
import { PAGES as HELD_OUT_PAGES } from './legitimate/held-out/pages.ts';
import { SHOPS as HELD_OUT_SHOPS } from './legitimate/held-out/shops.ts';
import { ACCOUNTS } from './legitimate/known/accounts.ts';
import { PAGES } from './legitimate/known/pages.ts';
import { SHOPS } from './legitimate/known/shops.ts';
import type { Samples } from './sample.ts';

/** A corpus in two halves: rules were written with the first, and the second was only measured. */
interface Corpus {
  readonly known: Samples;
  readonly heldOut: Samples;
}

/** Sites that phish, after published patterns. Their hosts do not exist. */
export const KITS: Corpus = {
  known: { ...LOGINS, ...MONEY, ...LOADERS },
  heldOut: { ...HELD_OUT_LOGINS, ...HELD_OUT_MONEY, ...HELD_OUT_LOADERS },
};

/** Sites of banks, shops, services and authors, with forms, log-ins and names of brands. */
export const LEGITIMATE: Corpus = {
  known: { ...ACCOUNTS, ...SHOPS, ...PAGES },
  heldOut: { ...HELD_OUT_ACCOUNTS, ...HELD_OUT_SHOPS, ...HELD_OUT_PAGES },
};
