import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Resolves to the result of a conditional write, or to undefined if its condition fails. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
