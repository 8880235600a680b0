import { command, refuseArguments } from '../cli/command.ts';
import { parseConfig, readConfigKeys } from '../lib/config.ts';
import { bedrockWarning } from './bedrock.ts';
import { discover } from './discovery/discover.ts';
import { requireProviderKeys } from './provider-keys.ts';
import { startService } from './service.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm start [-- [--fresh] [--no-discovery]]

Synthesizes the stack, if its sources have changed, and runs it locally. --fresh deletes the existing state first.

Unless CONFIG_FILE is set, or config/local.json has providers, the providers are the models that are found: API keys in the
environment, then model servers on this machine, then blueprint. --no-discovery uses blueprint alone.

Environment variables:
  PORT          port of the service, 3000 by default
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default
  CONFIG_FILE   configuration of the stage, config/local.json by default`;

const main = command(
  USAGE,
  { fresh: { type: 'boolean' }, 'no-discovery': { type: 'boolean' } },
  async ({ values, positionals }, { stdout, env }) => {
    refuseArguments(positionals);
    const settings = readSettings(env);
    const keys = readConfigKeys(settings.configFile);
    const discovers = !values['no-discovery'] && !env.CONFIG_FILE && !('providers' in keys);
    const discovery = discovers ? await discover(env) : undefined;
    const config = discovery && { ...discovery.config, ...keys };
    const { providers } = parseConfig(config ?? keys, settings.configFile);
    requireProviderKeys(providers, env);
    if (discovery) stdout.write(`${discovery.summary}\n`);
    const cloud = await startService(settings, { fresh: values.fresh ?? false, config });
    const stop = () => {
      cloud.close().finally(() => process.exit(0));
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const warning = bedrockWarning(providers);
    if (warning) stdout.write(`${warning}\n`);
    stdout.write(`ready ${cloud.baseUrl}\n`);
  },
);
const exitCode = await main(process.argv.slice(2), process);
if (exitCode !== 0) process.exit(exitCode);
