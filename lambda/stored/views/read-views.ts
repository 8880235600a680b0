import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type DayViews, toDayViews } from './day-views.ts';

/** Returns the views of a page by day, earliest first, with an eventually consistent query. @param from, to both inclusive */
export async function readViews(
  db: DynamoDBDocumentClient,
  table: string,
  page: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DayViews[]> {
  const days: DayViews[] = [];
  const pages = paginateQuery(
    { client: db },
    {
      TableName: table,
      KeyConditionExpression: 'page = :page AND #day BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':page': page, ':from': from, ':to': to },
    },
  );
  for await (const { Items = [] } of pages) days.push(...Items.map(toDayViews));
  return days;
}
