import { defaultBudgets } from '../lib/budgets.ts';
import { parseConfig, readConfigKeys } from '../lib/config.ts';
import { type CommandIo, main as command } from '../terminal/program.ts';
import { readSettings } from '../terminal/settings.ts';
import { lookVariables, thisMachine } from './chromium.ts';
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
                Chromium or Chrome at a usual place`;

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
  const browser = lookLine(stage.look, lookVariables(thisMachine()));
  if (browser) stdout.write(`${browser}\n`);
  const cloud = await startService(settings, { fresh, config });
  const stop = () => {
    cloud.close().finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const warning = bedrockWarning(providers);
  if (warning) stdout.write(`${warning}\n`);
  stdout.write(`ready ${cloud.baseUrl}\n`);
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
