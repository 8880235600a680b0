import { command, refuseArguments } from '../cli/command.ts';
import { readConfig } from '../lib/config.ts';
import { bedrockWarning } from './bedrock.ts';
import { requireProviderKeys } from './provider-keys.ts';
import { startService } from './service.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm start [-- --fresh]

Synthesizes the stack and runs it locally. --fresh deletes the existing state first.

Environment variables:
  PORT          port of the service, 3000 by default
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default
  CONFIG_FILE   configuration of the stage, config/local.json by default`;

const main = command(
  USAGE,
  { fresh: { type: 'boolean' } },
  async ({ values, positionals }, { stdout, env }) => {
    refuseArguments(positionals);
    const settings = readSettings(env);
    const { providers } = readConfig(settings.configFile);
    requireProviderKeys(providers, env);
    const cloud = await startService(settings, { fresh: values.fresh ?? false });
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
