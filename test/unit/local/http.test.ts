import { PassThrough } from 'node:stream';
import { cutWhenIdle } from '../../../local/cloud/http.ts';

it('cutWhenIdle fails if its source has failed before', async () => {
  const source = new PassThrough();
  source.once('error', () => {});
  source.destroy(new Error('the function died'));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(cutWhenIdle(source, 60_000).toArray()).rejects.toThrow('the function died');
});
