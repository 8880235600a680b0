import * as z from 'zod';
import { errorBody, retryLaterBody } from './errors.ts';
import { attemptResource, generatedFile, generateResponse, generationResource } from './generate.ts';
import { look } from './looks.ts';

const { cost, costUnknown, matched, plan, writing } = generationResource.shape;
const { bytes } = generationResource.shape.files.def.innerType.element.shape;

export const queuedEvent = z.strictObject({
  at: z.int().describe('Unix time in milliseconds when the generation was created.'),
});

export const attemptEvent = z.strictObject({
  attempt: z.int().min(1).describe('Number of the attempt.'),
  ...attemptResource.shape,
  matched,
});

export const lookEvent = z.strictObject({
  attempt: z.int().min(1).describe('Number of the attempt that ended before the browser looked.'),
  ...look.shape,
});

export const planEvent = z.strictObject({ files: plan.unwrap().describe('Planned files.') });

export const writingEvent = z.strictObject({
  files: writing.unwrap().describe('Files that are being written; those of the last seconds.'),
});

export const fileEvent = z.strictObject({ ...generatedFile.shape, bytes });

export const deletedEvent = z.strictObject({ path: generatedFile.shape.path });

export const doneEvent = z.strictObject({ ...generateResponse.shape, cost, costUnknown });

export const errorEvent = z.strictObject({
  status: z.int().min(400).max(599).describe('Status of the error response.'),
  body: z
    .strictObject({ ...errorBody.shape, retryAfter: retryLaterBody.shape.retryAfter.optional() })
    .describe('Body of the error response.'),
});

/** The server-sent events of a generation (WHATWG HTML, 9.2) by type, with the schema of the JSON in `data`. */
export const GENERATION_EVENTS = {
  queued: { when: 'The generation was created.', data: queuedEvent },
  attempt: {
    when: 'A provider is called. Sent again with the `outcome` when the attempt ends.',
    data: attemptEvent,
  },
  plan: { when: 'The planned files, instead of those of an earlier plan.', data: planEvent },
  writing: {
    when: 'Every few seconds: the files that are being written. It has the id of the event before it.',
    data: writingEvent,
  },
  file: { when: 'A complete file. A repeated path replaces the earlier file.', data: fileEvent },
  look: {
    when: 'A browser opens the project after an attempt. Sent again with what it saw.',
    data: lookEvent,
  },
  deleted: { when: 'A change deleted a file.', data: deletedEvent },
  done: { when: 'The response of generate, with its cost. The stream ends.', data: doneEvent },
  error: { when: 'The generation has no result. The stream ends.', data: errorEvent },
} as const;
