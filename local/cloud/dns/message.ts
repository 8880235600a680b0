import type { RecordType } from './records.ts';

/** A query with one question. */
export interface Question {
  readonly id: number;
  readonly name: string;
  /** Undefined for a type that the local cloud has no records of. */
  readonly type: RecordType | undefined;
  /** The question as it was sent. */
  readonly bytes: Buffer;
}

/** Response codes (RFC 1035, 4.1.1). */
export const STATUS = { ok: 0, serverFailure: 2, noSuchName: 3 } as const;

const HEADER_BYTES = 12;
/** Type numbers (RFC 1035, 3.2.2). */
const TYPES: Readonly<Record<number, RecordType>> = { 5: 'CNAME', 6: 'SOA', 16: 'TXT' };
const INTERNET = 1;
/** A pointer to the name in the question. */
const SAME_NAME = 0xc000 | HEADER_BYTES;
/** QR, RD and RA: a response of a recursive resolver. */
const RESPONSE = 0x8180;

/** Reads a query. Returns undefined if it is not a valid one with one question. */
export function readQuestion(message: Buffer): Question | undefined {
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
export function reply(question: Question, status: number, values: readonly string[] = []): Buffer {
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
