import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import { RunningSlots } from '../../access/running-slots.ts';
import { LIMITS } from '../../contract/limits.ts';
import { LOOK_KINDS, LOOK_LIMITS, LOOK_WIDTHS, type LookWidth } from '../../contract/looks.ts';
import type { SlotShares } from '../../contract/slot-shares.ts';
import { CLIENT, documentClient, QUICK } from '../../platform/aws.ts';
import { boundedText } from '../../platform/bounded.ts';
import { CLOCKS_APART_MS } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { readObject } from '../../platform/read-object.ts';
import { packContents } from '../../sites/archive.ts';
import { digest, hashesOf } from '../../sites/source/build.ts';
import { FunctionBusy, FunctionError, invokeForTenant, lazyInvoke, type TenantFunction } from '../tenant-function.ts';
import { BROWSERS_BUSY, type Look, type Looker, type LookInput, type NoLook, packLook, readLook } from './looker.ts';

/** How long a look waits while all browsers are in use. */
const PATIENCE_MS = 10_000;

/** How long the function may take: its timeout, and the time to start it. */
const INVOKE_MS = 65_000;

/** Longer than a look, so that no URL expires before its browser has started, even if the clock of the function is behind that of S3. */
const URL_SECONDS = 120 + CLOCKS_APART_MS / 1_000;

/** The pictures of a look with its problems. */
const STORED_BYTES = LOOK_WIDTHS.length * LOOK_LIMITS.screenshotBytes + 1_048_576;

/** The first bytes of a PNG, and of its first chunk, which has the width and the height. https://www.w3.org/TR/png-3/#5PNG-file-signature */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** A small file can be a picture that fills the memory of whoever shows it. */
const MAX_PIXELS = 16_777_216;

/** In base64. The schema of zod for that is a regular expression, which is not for megabytes. */
const picture = z
  .string()
  .max(Math.ceil(LOOK_LIMITS.screenshotBytes / 3) * 4)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(isPicture, 'must be a PNG');

const problem = z.strictObject({
  kind: z.enum(LOOK_KINDS),
  message: z.string().max(LOOK_LIMITS.characters),
  path: z.string().max(LIMITS.pathBytes).exactOptional(),
  line: z.int().positive().exactOptional(),
  column: z.int().positive().exactOptional(),
  width: z.literal(LOOK_WIDTHS).exactOptional(),
  blocking: z.literal(true).exactOptional(),
});

/** The result of the look function, which has run code of a stranger. */
const result = z.discriminatedUnion('looked', [
  z.object({
    looked: z.literal(true),
    problems: z.array(problem).max(LOOK_LIMITS.problems),
    screenshots: z.strictObject({ 390: picture, 1280: picture }).partial(),
    isPartial: z.literal(true).exactOptional(),
  }),
  z.object({ looked: z.literal(false), reason: z.string() }),
]);

export interface LookerOptions extends TenantFunction {
  /** Signs URLs without checksums that the SDK adds by itself. */
  readonly s3: S3Client;
  readonly bucket: string;
  /** The version of the function's code and configuration. */
  readonly version: string;
}

/** Returns the looker with clients of its own. @param table of the slots that `shares` divides, if the stage has them */
export function createLooker({
  shares,
  table,
  ...options
}: Pick<LookerOptions, 'functionName' | 'version' | 'bucket' | 'patienceMs'> & {
  readonly shares: SlotShares | undefined;
  readonly table: string | undefined;
}): LambdaLooker {
  const isBounded = shares !== undefined && table !== undefined;
  return new LambdaLooker({
    ...options,
    s3: new S3Client({ ...CLIENT, responseChecksumValidation: 'WHEN_REQUIRED' }),
    invoke: lazyInvoke(INVOKE_MS),
    slots: isBounded ? new RunningSlots({ db: documentClient(QUICK), table, clock: Date.now }, shares) : undefined,
  });
}

/**
 * Looks with a function of its own, whose instances serve one tenant each. The function has no permission: it gets the URL of the
 * site, and returns the pictures.
 */
export class LambdaLooker implements Looker {
  readonly #options: LookerOptions;

  constructor(options: LookerOptions) {
    this.#options = options;
  }

  async look(tenant: string, input: LookInput): Promise<Look | NoLook> {
    try {
      return await this.#look(tenant, input);
    } catch (error) {
      log.error('not looked', { error });
      return failed(reasonOf(error));
    }
  }

  async #look(tenant: string, { files, entry }: LookInput): Promise<Look | NoLook> {
    const { s3, bucket: Bucket, version } = this.#options;
    const key = digest([version, tenant, entry, hashesOf(files)]);
    const stored = await readObject(s3, Bucket, `out/${key}`, STORED_BYTES);
    if (stored) return readLook(stored);
    const site = { Bucket, Key: `in/${key}` };
    await s3.send(new PutObjectCommand({ ...site, Body: packContents(files) }));
    const url = await getSignedUrl(s3, new GetObjectCommand(site), { expiresIn: URL_SECONDS });
    const seen = result.parse(await invokeForTenant(this.#options, tenant, { in: url, entry }, PATIENCE_MS));
    if (!seen.looked) return failed(boundedText(seen.reason));
    const { looked: _, ...found } = seen;
    const look: Look = { ...found, state: 'looked', screenshots: byWidth(seen.screenshots) };
    await s3
      .send(new PutObjectCommand({ Bucket, Key: `out/${key}`, Body: packLook(look) }))
      .catch((error: unknown) => log.error('look not stored', { error }));
    return look;
  }
}

function failed(reason: string): NoLook {
  return { state: 'failed', reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof FunctionBusy) return BROWSERS_BUSY;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const isEnded = error instanceof FunctionError && error.isEnded;
  return isLate || isEnded ? 'The browser took too long or needed too much memory' : 'The browser failed';
}

function isPicture(bytes: Buffer): boolean {
  if (bytes.length > LOOK_LIMITS.screenshotBytes || bytes.length < PNG_START.length + 8) return false;
  if (!bytes.subarray(0, PNG_START.length).equals(PNG_START)) return false;
  const pixels = bytes.readUInt32BE(PNG_START.length) * bytes.readUInt32BE(PNG_START.length + 4);
  return pixels > 0 && pixels <= MAX_PIXELS;
}

function byWidth(pictures: { readonly [Width in LookWidth]?: Uint8Array | undefined }): Look['screenshots'] {
  return new Map(
    LOOK_WIDTHS.flatMap((width) => {
      const bytes = pictures[width];
      return bytes ? [[width, bytes] as const] : [];
    }),
  );
}
