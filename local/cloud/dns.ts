import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type RecordType = 'CNAME' | 'SOA' | 'TXT';

/** The records of a name. That it has an SOA, whose value is not read, makes it the apex of a zone. */
type NameRecords = Readonly<Partial<Record<RecordType, unknown>>>;

const isText = (value: unknown) => typeof value === 'string';

const VALID: Readonly<Record<RecordType, (value: unknown) => boolean>> = {
  CNAME: isText,
  SOA: isText,
  TXT: (value) => Array.isArray(value) && value.every((text) => isText(text) && text.length <= 255),
};

/**
 * The public DNS, as the local cloud knows it: the records in `<state dir>/dns.json`, by lower-case name. Nothing is
 * asked outside of this machine. The file is read for each question, so that it can be changed at any time. Functions
 * load this module, so it imports no package.
 */
export class DnsRecords {
  private readonly file: string;

  constructor(stateDir: string) {
    this.file = join(stateDir, 'dns.json');
  }

  /**
   * Returns the values of a name's records of a type, or undefined if the name has no records at all.
   * @throws Error if the file is invalid
   */
  find(name: string, type: RecordType): readonly string[] | undefined {
    const records = this.read()[canonical(name)];
    if (records === undefined) return undefined;
    return [records[type] ?? []].flat() as string[];
  }

  /** Returns the name at the end of a chain of CNAME records. */
  target(name: string): string {
    const seen = new Set<string>();
    let current = canonical(name);
    while (!seen.has(current)) {
      seen.add(current);
      const [next] = this.find(current, 'CNAME') ?? [];
      if (next === undefined) break;
      current = canonical(next);
    }
    return current;
  }

  private read(): Readonly<Record<string, NameRecords>> {
    if (!existsSync(this.file)) return {};
    const names: Readonly<Record<string, NameRecords>> = JSON.parse(readFileSync(this.file, 'utf8'));
    for (const [name, records] of Object.entries(names))
      for (const [type, value] of Object.entries(records))
        if (!VALID[type as RecordType]?.(value))
          throw new Error(`Invalid DNS records in ${this.file}: ${type} of ${name} is not supported`);
    return names;
  }
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Returns a class that takes the place of `dns.promises.Resolver`, and knows these records only. */
export function resolverOf(records: DnsRecords) {
  const ask = (name: string, type: RecordType): readonly string[] => {
    const values = answer(records, name, type);
    if (values !== undefined && values.length > 0) return values;
    throw resolverError(values === undefined ? 'ENOTFOUND' : 'ENODATA', name);
  };
  return class {
    resolveTxt = async (name: string) => ask(name, 'TXT').map((text) => [text]);
    resolveCname = async (name: string) => ask(name, 'CNAME');
    resolveSoa = async (name: string) => ({ nsname: ask(name, 'SOA')[0] });
  };
}

function answer(records: DnsRecords, name: string, type: RecordType): readonly string[] | undefined {
  try {
    return records.find(name, type);
  } catch (error) {
    console.error(`DNS: ${(error as Error).message}`);
    throw resolverError('ESERVFAIL', name);
  }
}

const resolverError = (code: string, name: string) => Object.assign(new Error(`${code} ${name}`), { code });
