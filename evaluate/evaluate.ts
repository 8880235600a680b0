import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { MODELS } from '../lambda/contract/generate.ts';
import { readConfig } from '../lib/config.ts';
import { requireProviderKeys } from '../local/providers.ts';
import { startService } from '../local/service.ts';
import { type CommandIo, main as command, UsageError } from '../terminal/program.ts';
import { readSettings } from '../terminal/settings.ts';
import { PROMPTS } from './prompts/index.ts';
import type { Prompt } from './prompts/visitor.ts';
import { sheetOf, tableOf } from './report.ts';
import { evaluate } from './run.ts';
import type { Score } from './score.ts';
import { launch } from './visit.ts';

interface Options {
  readonly provider: string;
  readonly only?: string;
  readonly prompts?: string;
  readonly url?: string;
  readonly key?: string;
  readonly out: string;
}

const main = command('npm run evaluate --', (program, io) => {
  program
    .description(
      'Generates a project for every prompt, deploys it, uses it in Chromium, and scores it. Starts the local service with the configuration of CONFIG_FILE and deletes its state at the end, unless --url names a service',
    )
    .addOption(new Option('--provider <name>', 'who generates').choices(MODELS).default('auto'))
    .option('--only <list>', 'ids of prompts or names of categories')
    .option('--prompts <file>', 'a module whose default export is a list of prompts like evaluate/prompts/games.ts')
    .option('--url <url>', 'base URL of a running service')
    .option('--key <key>', 'an API key for a higher rate limit, with --url')
    .option('--out <folder>', 'for scores.json, index.html, projects and screenshots', join('.local', 'evaluation'))
    .action((values: Options) => evaluateAll(values, io));
});

async function evaluateAll(values: Options, { stdout, stderr, env }: CommandIo): Promise<void> {
  const { out } = values;
  const model = MODELS.find((name) => name === values.provider) ?? 'auto';
  const prompts = selectPrompts(await readPrompts(values.prompts), values.only);
  await using service = values.url ? running(values.url) : await start(env);
  await using browser = await launch();
  const scores: Score[] = [];
  for (const prompt of prompts) {
    stderr.write(`${scores.length + 1}/${prompts.length} ${prompt.id} … `);
    const score = await evaluate(prompt, { ...service, key: values.key, model }, browser, join(out, prompt.id));
    scores.push(score);
    stderr.write(score.passed ? 'passed\n' : 'failed\n');
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'scores.json'), `${JSON.stringify(scores, null, 2)}\n`);
  writeFileSync(join(out, 'index.html'), sheetOf(scores, `Evaluation of ${model}`));
  stdout.write(`${tableOf(scores)}\nScreenshots: ${join(out, 'index.html')}\n`);
}

async function readPrompts(file: string | undefined): Promise<readonly Prompt[]> {
  if (file === undefined) return PROMPTS;
  const { default: prompts } = await import(pathToFileURL(resolve(file)).href);
  if (Array.isArray(prompts)) return prompts;
  throw new UsageError(`Invalid --prompts ${file}: its default export must be a list of prompts`);
}

function selectPrompts(prompts: readonly Prompt[], only: string | undefined): readonly Prompt[] {
  if (only === undefined) return prompts;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !prompts.some(({ id, category }) => id === name || category === name));
  if (unknown !== undefined)
    throw new UsageError(`Unknown prompt "${unknown}": the ids are ${prompts.map(({ id }) => id).join(', ')}`);
  return prompts.filter(({ id, category }) => names.includes(id) || names.includes(category));
}

interface Running extends AsyncDisposable {
  readonly baseUrl: string;
}

const running = (url: string): Running => ({
  baseUrl: new URL(url).origin,
  async [Symbol.asyncDispose]() {},
});

/** Starts the local service with a state of its own, and without the rate limit that would slow the evaluation. */
async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const settings = readSettings(env);
  requireProviderKeys(readConfig(settings.configFile).providers, env);
  const folder = mkdtempSync(join(tmpdir(), 'ptp-evaluate-'));
  const configFile = join(folder, 'config.json');
  const config = JSON.parse(readFileSync(settings.configFile, 'utf8'));
  writeFileSync(configFile, JSON.stringify({ ...config, rateLimit: { anonymous: 100_000 } }));
  const cloud = await startService({ ...settings, configFile, stateDir: join(folder, 'state') }, { log: () => {} });
  return {
    baseUrl: cloud.baseUrl,
    async [Symbol.asyncDispose]() {
      await cloud.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

process.exitCode = await main(process.argv.slice(2), process);
