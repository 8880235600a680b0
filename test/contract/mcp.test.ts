import { check, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';

onStage({
  name: 'agents',
  title: 'Agents reach the API by the tools of /mcp',
  means: 'MCP clients cannot connect, or every tool fails.',
  lookAt: 'The log group *-McpServerLogs*, and its environment variable API_URL',
  run: async ({ http, options }) => {
    const post = (body: unknown) =>
      http.send(new URL('/mcp', options.baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      });
    const message = (fields: object) => ({ jsonrpc: '2.0', ...fields });
    const send = (fields: object) => post(message(fields));
    const initialized = await send({ method: 'notifications/initialized' });
    expectStatus(initialized, 202);
    check(initialized.text === '', `${initialized.request} has a body: MCP clients expect none`);
    // Each message would call the API.
    const batch = await post([message({ id: 1, method: 'ping' }), message({ id: 2, method: 'ping' })]);
    expectStatus(batch, 400);
    // A read that changes nothing: its error comes from the API.
    const params = { name: 'get_generation', arguments: { id: 'smoke' } };
    const called = await send({ id: 1, method: 'tools/call', params });
    expectStatus(called, 200);
    const { result } = called.json<{ result?: { content?: { text?: string }[] } }>();
    const text = result?.content?.[0]?.text ?? called.text;
    check(text.startsWith('There is no such generation'), `the tool returned "${text}", not the API's error`);
  },
});
