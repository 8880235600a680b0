import { dirname } from 'node:path';
import { defaultBudgets } from '../lib/budgets.ts';
import { parseConfig, readConfigKeys } from '../lib/config.ts';
import { type CommandIo, main as command } from '../terminal/program.ts';
import { readSettings } from '../terminal/settings.ts';
import { browserHint, lookVariables, missingChromium, thisMachine } from './chromium.ts';
import { installChromium } from './install-chromium.ts';
import { bedrockWarning, discover, requireProviderKeys } from './providers.ts';
import { startService } from './service.ts';

const NOTES = `
Unless CONFIG_FILE is set, or config/local.json has providers, the providers are
the models that are found: API keys in the environment, then model servers on
this machine, then blueprint.

Environment variables:
  PORT          port of the service, 3000 by default
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default
  CONFIG_FILE   configuration of the stage, config/local.json by default
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                proxy to reach vendors and npm's registry, and the hosts that
                are reached without it; NODE_USE_ENV_PROXY=0 ignores them
  PTP_CHROMIUM  the browser that looks at projects, or none; by default,
                Chromium, Chrome or Edge at a usual place, or on Linux
                Chromium, which the first start installs`;

const main = command('npm start --', (program, io) => {
  program
    .description('Synthesizes the stack, if its sources have changed, and runs it locally')
    .option('--fresh', 'delete the existing state first')
    .option('--no-discovery', 'do not look for models: use blueprint alone')
    .addHelpText('after', NOTES)
    .action((options: { fresh?: boolean; discovery: boolean }) => start(options, io));
});

async function start(
  { fresh = false, discovery: mayDiscover }: { fresh?: boolean; discovery: boolean },
  { stdout, env }: CommandIo,
): Promise<void> {
  const settings = readSettings(env);
  const keys = readConfigKeys(settings.configFile);
  const discovers = mayDiscover && !env.CONFIG_FILE && !('providers' in keys);
  const discovery = discovers ? await discover(env) : undefined;
  const config = discovery && { ...discovery.config, ...keys };
  const stage = parseConfig(config ?? keys, settings.configFile);
  const { providers } = stage;
  requireProviderKeys(providers, env);
  if (discovery) stdout.write(`${discovery.summary}\n`);
  const budgets = defaultBudgets(stage);
  if (budgets) stdout.write(`${budgets}\n`);
  const installing = stage.look.enabled ? missingChromium(thisMachine()) : undefined;
  const browser =
    installing === undefined ? lookLine(stage.look, lookVariables(thisMachine())) : installingLine(installing);
  if (browser) stdout.write(`${browser}\n`);
  const cloud = await startService(settings, { fresh, config, installing });
  const stop = () => {
    cloud.close().finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const warning = bedrockWarning(providers);
  if (warning) stdout.write(`${warning}\n`);
  stdout.write(`ready ${cloud.baseUrl}\n`);
  if (installing !== undefined) stdout.write(`${await installBrowser(installing)}\n`);
}

function installingLine(path: string): string {
  return `Browser: Chromium is being installed in ${dirname(path)} (75 MB, once; PTP_CHROMIUM=none says no). Projects are looked at as soon as it is there`;
}

/** Installs a browser, and returns the line that says so, or why it is missing. The service does not need it. */
async function installBrowser(path: string): Promise<string> {
  try {
    await installChromium(path);
    return `Browser: ${path} opens projects before they are published`;
  } catch (error) {
    const { message } = error as Error;
    return `Projects are not looked at. Chromium cannot be installed (${message}): ${browserHint(process.platform)}`;
  }
}

/** Returns the line that says which browser opens projects before they are published, or that none does. */
function lookLine(
  { enabled }: { readonly enabled: boolean },
  variables: ReturnType<typeof lookVariables>,
): string | undefined {
  if (!enabled) return undefined;
  if ('LOOK_SKIPPED' in variables) return `Projects are not looked at. ${variables.LOOK_SKIPPED}`;
  return `Browser: ${variables.PTP_CHROMIUM} opens projects before they are published`;
}

const exitCode = await main(process.argv.slice(2), process);
if (exitCode !== 0) process.exit(exitCode);
