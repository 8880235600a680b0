import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export type RecordType = 'CNAME' | 'SOA' | 'TXT';

const Records = z.record(
  z.string(),
  z.strictObject({
    CNAME: z.string().optional(),
    TXT: z.array(z.string().max(255)).optional(),
    /** The value is not read: that a name has the record makes it the apex of a zone. */
    SOA: z.string().optional(),
  }),
);

/**
 * The public DNS, as the local cloud knows it: the records in `<state dir>/dns.json`, by lower-case name. Nothing is asked outside of
 * this machine. The file is read for each question, so that it can be changed at any time.
 */
export class DnsRecords {
  private readonly file: string;

  constructor(stateDir: string) {
    this.file = join(stateDir, 'dns.json');
  }

  /** Returns the values of a name's records of a type, or undefined if the name has no records at all. @throws Error if the file is invalid */
  find(name: string, type: RecordType): readonly string[] | undefined {
    const records = this.read()[canonical(name)];
    if (records === undefined) return undefined;
    const value = records[type] ?? [];
    return typeof value === 'string' ? [value] : value;
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

  private read(): z.output<typeof Records> {
    if (!existsSync(this.file)) return {};
    const parsed = Records.safeParse(JSON.parse(readFileSync(this.file, 'utf8')));
    if (parsed.success) return parsed.data;
    throw new Error(`Invalid DNS records in ${this.file}: ${z.prettifyError(parsed.error)}`);
  }
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
