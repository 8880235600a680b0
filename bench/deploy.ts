import type { Figure } from './figure.ts';
import { functionEnvironment } from './function-environment.ts';
import { inProcess } from './in-process.ts';
import { startBenchService } from './service.ts';

/** Measures a deploy of 10 MB against its floor, on the endpoints of a local cloud. */
export const deployBench = () => onCloud('bench/deploy-measured.ts');

/** Measures visits of a page against their floors, on the endpoints of a local cloud. */
export const pageBench = () => onCloud('bench/page-measured.ts');

/** Measures the data of a site against the calls that it is made of, on the endpoints of a local cloud. */
export const dataBench = () => onCloud('bench/data-measured.ts');

async function onCloud(script: string): Promise<Figure[]> {
  const cloud = await startBenchService();
  try {
    return await inProcess<Figure[]>(script, functionEnvironment(cloud.stateDir, cloud.baseUrl));
  } finally {
    await cloud.close();
  }
}
