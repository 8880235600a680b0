// Static imports stop at what an old Node does not know, before a sentence could be said: so they are few.
import { parseArgs } from 'node:util';

const MIN_NODE = 22;

if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  console.error(
    `The local cloud needs Node ${MIN_NODE} or newer, this is ${process.version}: start it with "npm start".`,
  );
  process.exit(1);
}

try {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
  const [{ readConfig }, { bedrockWarning }, { startCloud }, { requireProviderKeys }, { readSettings }] =
    await Promise.all([
      import('../lib/config.ts'),
      import('./bedrock.ts'),
      import('./cloud.ts'),
      import('./provider-keys.ts'),
      import('./settings.ts'),
    ]);
  const settings = readSettings();
  const { providers } = readConfig(settings.configFile);
  requireProviderKeys(providers, process.env);
  const cloud = await startCloud(settings, values);
  const stop = () => {
    cloud.close().finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const warning = bedrockWarning(providers);
  if (warning) console.log(warning);
  console.log(`ready ${cloud.baseUrl}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
