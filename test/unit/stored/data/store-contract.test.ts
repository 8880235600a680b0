import { startDataTable } from '../../../support/data-table.ts';
import { describeDataStore } from '../../sites/data/store-contract.ts';

const key = Buffer.alloc(32, 7).toString('base64url');

describeDataStore('DynamoDbDataStore', async () => {
  const { data } = await startDataTable();
  return data.store('abcdefghijkl', { since: 1, key });
});
