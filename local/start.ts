import { refuseArguments, runCommand } from '../cli/command.ts';
import { readConfig } from '../lib/config.ts';
import { bedrockWarning } from './bedrock.ts';
import { requireProviderKeys } from './provider-keys.ts';
import { startService } from './service.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm start [-- --fresh]

Synthesizes the stack and runs it locally. --fresh deletes the state of earlier runs first.

Environment variables:
  PORT          port of the service, 3000 by default
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default
  CONFIG_FILE   configuration of the stage, config/local.json by default`;

await runCommand(USAGE, { fresh: { type: 'boolean' } }, async ({ values, positionals }) => {
  refuseArguments(positionals);
  const settings = readSettings();
  const { providers } = readConfig(settings.configFile);
  requireProviderKeys(providers, process.env);
  const cloud = await startService(settings, { fresh: values.fresh ?? false });
  const stop = () => {
    cloud.close().finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const warning = bedrockWarning(providers);
  if (warning) console.log(warning);
  console.log(`ready ${cloud.baseUrl}`);
});
if (process.exitCode) process.exit();
