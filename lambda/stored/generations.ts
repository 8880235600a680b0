import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../access/callers.ts';
import { GENERATION_ID } from '../contract/ids.ts';
import type { GenerationStatus } from '../contract/responses/generate.ts';
import type { DeployTarget } from './deploy-target.ts';
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

/** Returns for whom the project of a generation is built, as `Builder.build` has it. */
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
