import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { emptyFolder } from '../../support/at-end.ts';
import { ptp, terminal } from '../../support/ptp.ts';
import { Screen } from '../../support/screen.ts';
import type { Script } from '../../support/vendors/index.ts';
import { answerWith, looking } from '../clouds.ts';

const page = (script: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Counter</title><link rel="icon" href="data:,"></head>
<body><main><h1>Counter</h1><p>It counts.</p><button>Count</button></main><script src="${script}"></script></body>
</html>
`;
const BROKEN = "const button = document.querySelector('#none');\nbutton.addEventListener('click', () => {});\n";
const SOUND = "document.querySelector('button').addEventListener('click', () => {});\n";
const THROWS = /app\.js:2:8: Uncaught TypeError: Cannot read properties of null/;

/** Answers with a page that throws, and repairs it if the prompt asks for that. */
const script: Script = (_, { body }) => {
  const sent = JSON.stringify(body);
  const isRepair = sent.includes('Correct exactly');
  const content = isRepair && sent.includes('repaired') ? SOUND : `${BROKEN}// ${isRepair}\n`;
  const files = isRepair ? '' : `<file path="index.html">\n${page('app.js')}</file>\n`;
  return [{ text: `${files}<file path="app.js">\n${content}</file>\n<done/>\n` }, { finish: 'complete' }];
};

const cloud = await looking();
const cwd = emptyFolder();
beforeAll(() => answerWith(script));

const env = () => ({ PTP_URL: cloud.baseUrl, XDG_CONFIG_HOME: cwd });
const run = (...args: string[]) => ptp(args, { cwd, env: env() });

/** Writes a page whose script throws, and returns the name of its folder. */
function brokenSite(): string {
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/index.html'), page('app.js'));
  writeFileSync(join(cwd, 'site/app.js'), BROKEN);
  return 'site';
}

/** Returns the width in the header of a PNG. */
function widthOf(png: Buffer): number {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return png.readUInt32BE(16);
}

describe('ptp generate', () => {
  it('writes a picture of the page, and later ones of another width', async () => {
    const made = await run('generate', 'a pomodoro timer', '--screenshot', 'shots/timer.png', '--json');
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Screenshot in ./shots/timer.png'),
    });
    expect(widthOf(readFileSync(join(cwd, 'shots/timer.png')))).toBe(1280);
    const { id, look } = JSON.parse(made.stdout);
    expect(look).toMatchObject({ state: 'looked', problems: [] });
    const later = await run('look', id, '--screenshot', 'phone.png', '--width', '390');
    expect(later).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no problems') });
    expect(widthOf(readFileSync(join(cwd, 'phone.png')))).toBe(390);
  });

  it('publishes a page that was repaired, and says what was wrong', async () => {
    const session = terminal(
      ['generate', 'a page that is repaired', '--model', 'provider-d', '-o', 'out', '--deploy'],
      { cwd, env: env(), columns: 100 },
    );
    expect(await session.exit).toBe(0);
    const screen = new Screen(100);
    screen.write(session.raw());
    const rows = screen.text.split('\n');
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^! Looked at it: 1 problem: app\.js:2:8: Uncaught TypeError/),
        '✓ Looked at it: no problems',
      ]),
    );
    expect(rows.at(-1)).toMatch(/\/d\/[0-9a-z]{12}$/);
    expect(await (await fetch(`${rows.at(-1)}/app.js`)).text()).toBe(SOUND);
  });

  it('does not publish a page that fails while it loads, unless it is deployed by itself', async () => {
    const made = await run('generate', 'a page', '--model', 'provider-d', '-o', 'out', '--deploy');
    expect(made).toMatchObject({ code: 1, stdout: './out\n' });
    expect(made.stderr).toMatch(THROWS);
    expect(made.stderr).toContain('  2 │ button.addEventListener');
    expect(made.stderr).toMatch(/\nNot published: app\.js:2:8: .*"ptp deploy \.\/out" publishes it as it is\n$/);
    expect(existsSync(join(cwd, 'out/.ptp.json'))).toBe(false);
    const { code, stdout, stderr } = await run('deploy', 'out', '--look');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\/d\/[0-9a-z]{12}\n$/) });
    expect(stderr).toMatch(THROWS);
    const looked = await run('look', 'out');
    expect(looked).toMatchObject({ code: 1, stdout: expect.stringMatching(THROWS) });
    expect(looked.stderr).toContain('The page does not work: app.js:2:8');
  });
});

describe('ptp deploy', () => {
  it('shows in a terminal what a browser sees, after the URL, and the line for pictures of links', async () => {
    const session = terminal(['deploy', brokenSite(), '--look'], { cwd, env: env(), columns: 90 });
    expect(await session.exit).toBe(0);
    const screen = new Screen(90);
    screen.write(session.raw());
    const [deployed, life, url, ...rest] = screen.text.split('\n');
    expect([deployed, life, url]).toEqual([
      expect.stringMatching(/^✓ Deployed/),
      expect.stringMatching(/^It expires in 30 days, .*keeps it$/),
      expect.stringMatching(/\/d\/\w+$/),
    ]);
    expect(rest[0]).toBe('A browser looked at it and found 1 problem:');
    expect(rest[1]).toMatch(THROWS);
    expect(rest).toContain("  2 │ button.addEventListener('click', () => {});");
    expect(rest.at(-1)).toBe(`  <meta property="og:image" content="${url}.png">`);
    expect((await fetch(`${url}.png`)).headers.get('content-type')).toBe('image/png');
    expect(screen.cursorVisible).toBe(true);
  });
});

describe('an agent', () => {
  const clients: Client[] = [];
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

  async function connect(transport: StreamableHTTPClientTransport): Promise<Client> {
    const client = new Client({ name: 'suite', version: '1' });
    clients.push(client);
    await client.connect(transport);
    return client;
  }

  /** Deploys until a browser has looked within the time that a call waits: an equal site is looked at once. */
  async function looked(deploy: () => Promise<CallToolResult>): Promise<CallToolResult> {
    for (;;) {
      const result = await deploy();
      const { look } = result.structuredContent as { look?: { state: string } };
      if (look?.state !== 'looking') return result;
    }
  }

  const widths = ({ content }: CallToolResult) =>
    content.flatMap((one) => {
      if (one.type !== 'image') return [];
      expect(one.mimeType).toBe('image/png');
      return [widthOf(Buffer.from(one.data, 'base64'))];
    });

  it('sees the page that it made and deployed, and reads what is wrong', async () => {
    const client = await connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl)));
    const call = (name: string, args: object) =>
      client.callTool({ name, arguments: { ...args } }, { timeout: 200_000 });
    let made = await call('generate', { prompt: 'a quiz', model: 'provider-a' });
    const { id: generationId } = made.structuredContent as { id: string };
    const isOver = () => (made.structuredContent as { status: string }).status === 'succeeded';
    while (!isOver()) made = await call('get_generation', { id: generationId });
    expect(widths(made)).toEqual([1280, 390]);
    expect(JSON.stringify(made).length).toBeLessThan(1_000_000);

    const files = [
      { path: 'index.html', content: page('app.js') },
      { path: 'app.js', content: BROKEN },
    ];
    const deployed = await looked(() => call('deploy', { files }));
    expect(deployed.content).toContainEqual({ type: 'text', text: expect.stringMatching(THROWS) });
    expect(widths(deployed)).toEqual([1280, 390]);
    const { id, token } = deployed.structuredContent as { id: string; token: string };
    expect(widths(await call('get_screenshot', { id, token, width: 390 }))).toEqual([390]);
    const missing = await call('get_screenshot', { id: 'V1StGXR8_Z5jdHi6B-myT' });
    expect(missing.isError).toBe(true);
  });
});
