import * as z from 'zod';
import { GENERATION_ID } from '../contract/ids.ts';
import { LOOK_WIDTHS } from '../contract/looks.ts';
import { look } from '../contract/responses/looks.ts';
import { id, READS, token } from './fields.ts';
import { lookSentence, problemList, waitForLook } from './looks.ts';
import type { Width } from './pictures.ts';
import { type Call, ToolError, tool } from './tool.ts';

const width = z.literal(LOOK_WIDTHS);

export const getScreenshot = tool({
  name: 'get_screenshot',
  title: 'Retrieve a screenshot',
  description:
    'Returns a picture of the page of a generation or deployment as a browser showed it, and the problems that the browser found. Waits some seconds for a browser that is looking.',
  input: z.strictObject({
    id: id.describe('Id of a generation or deployment.'),
    width: width.default(1280).describe('Width of the browser in CSS pixels: a phone or a desktop.'),
    token,
  }),
  output: z.object({ look, width }),
  annotations: READS,
  call: async ({ id, width, token }, call) => {
    const { look, read } = await lookAt(id, token, call);
    const image = await read(width).catch((error: Error) => error);
    const saw = lookSentence(look) ?? 'No browser looked at it: it has no page.';
    if (look === undefined || image instanceof Error) throw new ToolError(`There is no picture. ${saw}`);
    const text = [`The page at ${width} px. ${saw}`, ...problemList(look)];
    return { data: { look, width }, text, images: [image] };
  },
});

/** Returns what a browser saw of a generation or deployment, and how to read its pictures. */
async function lookAt(id: string, token: string | undefined, { client, signal, holdMs }: Call) {
  if (GENERATION_ID.test(id)) {
    const { look } = await client.generations.get(id, { signal });
    return { look, read: (width: Width) => client.screenshot(id, { width, signal }) };
  }
  const look = await waitForLook(client, id, { token, waitMs: holdMs, signal });
  return { look, read: (width: Width) => client.deployments.screenshot(id, { width, token, signal }) };
}
