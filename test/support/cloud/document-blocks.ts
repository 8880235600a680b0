import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';
import { codeBlocks } from '../markdown.ts';
import { ownAddress } from './agents.ts';
import { cloud } from './cloud.ts';

/** A block that readers run. */
interface Step {
  readonly line: number;
  readonly script: string;
  /** What the document shows as its output, where `…` stands for any text. */
  readonly shown?: string;
}

/** Separates the outputs of two steps. */
const END_OF_STEP = '=== the end of a step ===\n';

/** Returns the blocks in Bash and JavaScript, each with the block in `text` that follows it. */
function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const { language, code, line } of codeBlocks(markdown)) {
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ line, script: code });
    if (language === 'js')
      steps.push({ line, script: `node --input-type=module - <<'END_OF_MODULE'\n${code}END_OF_MODULE\n` });
    if (language === 'text' && last) steps[steps.length - 1] = { ...last, shown: code };
  }
  return steps;
}

/** Parts of a shown output that differ, and their patterns. */
const VARIABLE: Readonly<Record<string, string>> = { '…': '[^]*?', 'localhost:3000': 'localhost:\\d+' };

/** Reports if a step printed what its document shows. */
function isAsShown(shown: string, printed: string): boolean {
  const parts = shown
    .split(/(…|localhost:3000)/)
    .map((part) => VARIABLE[part] ?? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`).test(printed);
}

/** Runs a script in Bash, from the root of the repository, and returns everything that it prints. */
function bash(file: string, env: NodeJS.ProcessEnv): Promise<{ stdout: string; stderr: string }> {
  return new Promise((done) => {
    const args = ['--norc', '-euo', 'pipefail', file];
    const child = execFile('bash', args, { env, timeout: 270_000 }, (_, stdout, stderr) => done({ stdout, stderr }));
    child.stdin?.end();
  });
}

/**
 * Runs the blocks of a document in a shell, in their order.
 * @throws Error that lists the blocks that print something else than the document shows
 */
export async function runBlocks(document: string): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'ptp-tutorial-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  const baseUrl = await ownAddress(resources);
  const places: Readonly<Record<string, string>> = {
    'localhost:3000': new URL(baseUrl).host,
    '4000': String(await freePort()),
    '../timer': join(folder, 'timer'),
  };
  const steps = stepsOf(readFileSync(document, 'utf8'));
  const script = ["trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"]
    .concat(steps.map((step) => `${step.script}printf '%s' '${END_OF_STEP}'\n`))
    .join('')
    .replace(/localhost:3000|\b4000\b|\.\.\/timer/g, (place) => places[place] ?? place);
  const file = join(folder, 'script.sh');
  writeFileSync(file, script);
  const { PTP_API_KEY: _, ...inherited } = process.env;
  const { stdout, stderr } = await bash(file, {
    ...inherited,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    PTP_URL: baseUrl,
    STATE_DIR: cloud().stateDir,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
  });

  const outputs = stdout.split(END_OF_STEP).slice(0, -1);
  const wrong = steps
    .map(({ line, shown = '…' }, index) => ({ line, shown, printed: outputs[index]?.replaceAll('\r', '') }))
    .filter(({ shown, printed }) => printed === undefined || !isAsShown(shown, printed));
  if (wrong.length > 0) throw new Error(`${JSON.stringify(wrong, null, 2)}\n${stderr}`);
}
