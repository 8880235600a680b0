import { newCaller } from './cloud/client.ts';
import { NO_RATE_LIMIT, startVariant } from './cloud/variant.ts';

/** Production's deadlines: on two cores, many generations take longer than the suite's few seconds for a provider. */
const DEADLINES = { providerTimeoutSeconds: 120, firstTokenSeconds: 45, stallSeconds: 30 };

/** Starts `count` generations at once; each must succeed with its own project. */
export async function generateConcurrently(count: number): Promise<void> {
  const running = await startVariant({ ...NO_RATE_LIMIT, DEADLINES });
  try {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        newCaller(running.baseUrl).post('/api/v1/generate', { prompt: `a landing page called Site${i}x` }),
      ),
    );
    for (const [i, { status, text }] of responses.entries()) {
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      expect(text).toContain(`Site${i}x`);
    }
  } finally {
    await running.close();
  }
}
