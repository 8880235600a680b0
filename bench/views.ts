import type { Figure } from './figure.ts';
import { functionEnvironment } from './function-environment.ts';
import { bundleFile, inProcess } from './in-process.ts';
import { startBenchService } from './service.ts';

const FILES = [{ path: 'index.html', content: `<title>A page</title>${'Text '.repeat(2_000)}` }];

/** Measures visits that are counted against visits that are not, in the same function, on the tables of one local cloud. */
export async function viewsBench(): Promise<Figure[]> {
  const cloud = await startBenchService();
  try {
    const response = await fetch(`${cloud.baseUrl}/api/v1/deploy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ files: FILES }),
    });
    const { id } = (await response.json()) as { id: string };
    return await inProcess<Figure[]>('bench/views-measured.ts', {
      ...functionEnvironment(cloud.stateDir, cloud.baseUrl),
      SITE_BUNDLE: bundleFile('lambda/visits/site.handler.ts'),
      PAGE: id,
    });
  } finally {
    await cloud.close();
  }
}
