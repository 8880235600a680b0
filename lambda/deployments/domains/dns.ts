import { Resolver } from 'node:dns/promises';

/** What the public DNS says of domains. */
export interface Dns {
  /** Returns the values of the TXT records of a name; none if there are none, or if DNS does not answer. */
  texts(name: string): Promise<readonly string[]>;
  /** Reports whether a name is the apex of a zone. Without an answer, the number of its labels decides. */
  isApex(name: string): Promise<boolean>;
}

/** Shorter than what callers wait for; a check that is lost is repeated. */
const SETTINGS = { timeout: 1_500, tries: 1 } as const;

const NO_RECORD = ['ENODATA', 'ENOTFOUND'];

/** Returns the DNS as the resolver of the function sees it. */
export function publicDns(): Dns {
  const resolver = new Resolver(SETTINGS);
  return {
    async texts(name) {
      const records = await resolver.resolveTxt(name).catch(() => []);
      return records.map((parts) => parts.join(''));
    },
    async isApex(name) {
      try {
        await resolver.resolveSoa(name);
        return true;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        return !NO_RECORD.includes(code) && name.split('.').length === 2;
      }
    },
  };
}
