import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Resolves to undefined when the condition of a write fails; any other error is thrown. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
