import type { AssetOptions } from 'aws-cdk-lib/aws-s3-assets';
import { AssetHashType, DockerImage } from 'aws-cdk-lib/core';

/**
 * Returns the options of an asset that synthesis makes: `write` gets the folder in the cloud assembly. The CDK calls that
 * bundling, and skips it for commands that do not need the content, such as `cdk destroy`.
 * @param name differs from those of other assets with the same source folder
 */
export const generatedAsset = (name: string, write: (outdir: string) => void): AssetOptions => ({
  assetHashType: AssetHashType.OUTPUT,
  bundling: {
    // Never started, since the local bundling always succeeds or throws.
    image: DockerImage.fromRegistry('unused'),
    command: [name],
    local: {
      tryBundle(outdir) {
        write(outdir);
        return true;
      },
    },
  },
});
