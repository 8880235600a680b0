import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { HOST } from './listen.ts';

type RecordType = 'CNAME' | 'SOA' | 'TXT';

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
 * The public DNS, as the local cloud knows it: the records in `<state dir>/dns.json`, by lower-case name. Nothing is
 * asked outside of this machine. The file is read for each question, so that it can be changed at any time.
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

/**
 * Starts the resolver of the functions, which answers from the records over UDP (RFC 1035).
 * @returns its address, as `dns.setServers` takes it
 */
export async function listenDns(
  records: DnsRecords,
  resources: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (message, peer) => {
    const question = readQuestion(message);
    if (question) socket.send(answer(question, records, log), peer.port, peer.address);
  });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  resources.defer(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return `${HOST}:${socket.address().port}`;
}

function answer(question: Question, records: DnsRecords, log: (line: string) => void): Buffer {
  const { name, type } = question;
  try {
    const values = records.find(name, type ?? 'TXT');
    if (values === undefined) return reply(question, STATUS.noSuchName);
    return reply(question, STATUS.ok, type === undefined ? [] : values);
  } catch (error) {
    log(`DNS: ${(error as Error).message}`);
    return reply(question, STATUS.serverFailure);
  }
}

/** A query with one question. */
interface Question {
  readonly id: number;
  readonly name: string;
  /** Undefined for a type that the local cloud has no records of. */
  readonly type: RecordType | undefined;
  /** The question as it was sent. */
  readonly bytes: Buffer;
}

/** Response codes (RFC 1035, 4.1.1). */
const STATUS = { ok: 0, serverFailure: 2, noSuchName: 3 } as const;

const HEADER_BYTES = 12;
/** Type numbers (RFC 1035, 3.2.2). */
const TYPES: Readonly<Record<number, RecordType>> = { 5: 'CNAME', 6: 'SOA', 16: 'TXT' };
const INTERNET = 1;
/** A pointer to the name in the question. */
const SAME_NAME = 0xc000 | HEADER_BYTES;
/** QR, RD and RA: a response of a recursive resolver. */
const RESPONSE = 0x8180;

/** Reads a query. Returns undefined if it is not a valid one with one question. */
function readQuestion(message: Buffer): Question | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  if (message.length < at + 4) return undefined;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.'),
    type: TYPES[message.readUInt16BE(at)],
    bytes: message.subarray(HEADER_BYTES, at + 4),
  };
}

/** Returns the response to a query, with a record for each value. */
function reply(question: Question, status: number, values: readonly string[] = []): Buffer {
  const { id, type, bytes } = question;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(RESPONSE | status, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  const typeNumber = bytes.readUInt16BE(bytes.length - 4);
  const records = values.map((value) => record(typeNumber, type === 'TXT' ? text(value) : data(type, value)));
  return Buffer.concat([header, bytes, ...records]);
}

function record(type: number, value: Buffer): Buffer {
  const fields = Buffer.alloc(12);
  fields.writeUInt16BE(SAME_NAME, 0);
  fields.writeUInt16BE(type, 2);
  fields.writeUInt16BE(INTERNET, 4);
  // The time to live stays 0: nobody remembers a record of the local cloud.
  fields.writeUInt16BE(value.length, 10);
  return Buffer.concat([fields, value]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function data(type: RecordType | undefined, value: string): Buffer {
  // A start of authority has two names and five numbers.
  return type === 'SOA'
    ? Buffer.concat([encodedName(value), encodedName(value), Buffer.alloc(20)])
    : encodedName(value);
}

function encodedName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean);
  return Buffer.concat([...labels.map(text), Buffer.alloc(1)]);
}
