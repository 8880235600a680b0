import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The least that a function which talks to AWS loads. */
export const handler = new DynamoDBClient({});
