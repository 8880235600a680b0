import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** Returns a provider for Bedrock's Converse API, with the credentials and by default the region of the function. */
export function bedrock(config: ConfigOf<'bedrock'>, secret: ReadSecret): Provider {
  const region = config.region === undefined ? {} : { region: config.region };
  return modelProvider(config, secret, (settings) =>
    createAmazonBedrock({ ...settings, ...region })(config.model),
  );
}
