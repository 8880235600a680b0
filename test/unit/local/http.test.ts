import { PassThrough } from 'node:stream';
import { cutWhenIdle } from '../../../local/cloud/http.ts';

it('a source that failed before anybody listened is passed on as failed', async () => {
  const source = new PassThrough();
  source.once('error', () => {});
  source.destroy(new Error('the function died'));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(cutWhenIdle(source, 60_000).toArray()).rejects.toThrow('the function died');
});
