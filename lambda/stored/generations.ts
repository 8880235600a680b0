import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../access/callers.ts';
import type { DeployResponse } from '../contract/deploy.ts';
import { GENERATION_ID } from '../contract/ids.ts';
import type { GenerationStatus } from '../contract/responses/generate.ts';
import type { StoredProject } from './projects/stored-project.ts';

/** The attributes of a generation's item that matter to others than its attempts. */
export interface StoredGeneration extends StoredProject {
  readonly id: string;
  readonly status: GenerationStatus;
  /**
   * `Caller.id` of the key or token that owns it. Absent for an anonymous caller, whose address is personal data: the id
   * alone protects that generation.
   */
  readonly owner?: string | undefined;
  /** Where it is to be deployed when it succeeds. */
  readonly deploy?: DeployTarget | undefined;
}

/** Returns the tenant of a generation for `Builder.build`. */
export function buildTenant({ id, owner }: Pick<StoredGeneration, 'id' | 'owner'>): string {
  return owner ?? `generation:${id}`;
}

/** Reads a generation consistently, so that it is found as soon as its id is known. */
export async function readGeneration<Generation extends StoredGeneration>(
  db: DynamoDBDocumentClient,
  table: string,
  id: string,
): Promise<Generation | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item as Generation | undefined;
}

/**
 * Returns a generation if a caller may see it: one with an owner is visible to its owner only, another one to whoever knows
 * its id.
 * @param read is called with valid ids only
 */
export async function visibleGeneration<Generation extends Pick<StoredGeneration, 'owner'>>(
  id: string,
  caller: Pick<Caller, 'id'> | undefined,
  read: (id: string) => Promise<Generation | undefined>,
): Promise<Generation | undefined> {
  if (!GENERATION_ID.test(id)) return undefined;
  const generation = await read(id);
  if (generation?.owner === undefined) return generation;
  return generation.owner === caller?.id ? generation : undefined;
}

/** Where a generation is deployed when it succeeds. */
export interface DeployTarget {
  /** See `Sender.owner`. */
  readonly owner: string;
  /** The keyed hash of the address of a request without a credential, from `deployerOf`. */
  readonly deployer: string | undefined;
  readonly projectId?: string | undefined;
  /** The names of the version and, without a projectId, of the deployment. They are drawn once, so that a retry deploys once. */
  readonly names: { readonly id: string; readonly version: string };
  /** Whether the request sent the token of the deployment. */
  readonly holdsToken: boolean;
  /** The versions one of which must be live, or `*` for any. */
  readonly ifMatch?: readonly string[] | '*' | undefined;
}

/** The end of a generation's deploy. */
export type DeployOutcome =
  | {
      readonly response: DeployResponse;
      /** Whether it created the deployment. */
      readonly first: boolean;
      readonly bytes: number;
      /** When the deployment expires, in Unix milliseconds, unless a later request changes that. */
      readonly endsAt?: number | undefined;
      /** What may not work for visitors. */
      readonly warning?: string | undefined;
      /** References of the entry that visitors cannot load, one sentence each. */
      readonly problems: readonly string[];
      /** Why the page does not load, as a predicate. */
      readonly failure?: string | undefined;
    }
  /** The status and the error of a deploy by itself. */
  | { readonly status: number; readonly error: string };
