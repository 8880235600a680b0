import { refuseBatch } from '../../../lambda/mcp/batch.ts';
import { testRows } from '../../support/rows.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const request = (body: string) => new Request('https://mcp/', { method: 'POST', body });

testRows(['[]', `[${PING}]`, `[${PING},${PING}]`, ` \n\t[${PING}]`, `\ufeff[${PING}]`])(
  'refuses a batch of any length',
  async (body) => {
    expect(await refuseBatch(request(body))).toEqual({
      statusCode: 400,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_600,
          message: expect.stringContaining('send each message in a request of its own'),
        },
      },
    });
  },
);

testRows([PING, `{"params":[${PING}]}`, '[', ''])('leaves other requests to the server', async (body) => {
  const sent = request(body);
  expect(await refuseBatch(sent)).toBeUndefined();
  expect(await sent.text()).toBe(body);
});
