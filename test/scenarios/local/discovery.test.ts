import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { discover } from '../../../local/providers.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { startVariant, type Variant } from '../../support/cloud/variant.ts';
import { freePort } from '../../support/free-port.ts';
import { startVendor, type Vendor } from '../../support/vendors/index.ts';

const ANSWER = '<file path="index.html">\n<!doctype html><html lang="en"><title>Found</title>\n</file>\n<done/>\n';

describe('a model server on this machine', () => {
  let ollama: Vendor;
  let running: Variant;
  beforeAll(async () => {
    ollama = await startVendor('openai-compatible', [{ text: ANSWER }, { finish: 'complete' }], {
      '/api/tags': { models: [{ name: 'qwen3-coder:30b', size: 18_556_701_140 }] },
    });
    const port = Number(new URL(ollama.baseUrl).port);
    const found = await discover({}, [[port, 'ollama']], new AbortController().signal);
    const { providers } = found.config as { providers: object };
    running = await startVariant({ PROVIDERS: providers });
  });
  afterAll(() => Promise.all([running?.close(), ollama?.close()]));

  it('generates with the model that it lists', async () => {
    const { status, json } = await newCaller(running.baseUrl).post('/api/v1/generate', { prompt: 'a page' });
    expect({ status, model: json.model }).toEqual({ status: 200, model: 'provider-a/qwen3-coder:30b' });
    const [list, chat] = ollama.requests;
    expect([list?.path, chat?.body.model]).toEqual(['/api/tags', 'qwen3-coder:30b']);
  });
});

describe('a key in the environment', () => {
  const KEY = 'key-of-the-environment-0123456789';
  let service: ChildProcess;
  let printed = '';
  beforeAll(async () => {
    const { CONFIG_FILE: _, ...inherited } = process.env;
    service = spawn(process.execPath, ['local/start.ts'], {
      env: {
        ...inherited,
        PORT: String(await freePort()),
        BACKEND_PORT: String(await freePort()),
        STATE_DIR: stateDir,
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: service.stdout ?? process.stdin })) {
      printed += `${line}\n`;
      if (line.startsWith('ready ')) break;
    }
  });
  afterAll(async () => {
    if (service.exitCode === null && service.kill('SIGTERM')) await once(service, 'exit');
  });
  const stateDir = temporaryFolder();

  it('makes its vendor the first provider, and blueprint the last', async () => {
    const [, name] = /(provider-\w) is blueprint/.exec(printed) ?? [];
    expect(printed).toContain('provider-a is claude-sonnet-5-5 (Anthropic, billed to ANTHROPIC_API_KEY)');
    const [, baseUrl] = /^ready (.*)$/m.exec(printed) ?? [];
    const { json } = await newCaller(baseUrl).post('/api/v1/generate', { prompt: 'a quiz', model: name });
    expect(json.model).toBe(`${name}/blueprint`);
  });

  it('is neither printed nor stored', () => {
    expect(printed).not.toContain(KEY);
    const files = readdirSync(stateDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    expect(paths).toContain(join(stateDir, 'config.json'));
    expect(paths.filter((path) => readFileSync(path).includes(KEY))).toEqual([]);
  });
});
