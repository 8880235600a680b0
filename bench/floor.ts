import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The minimum that a function loads to call AWS. */
export const handler = new DynamoDBClient({});
