import type { ZodMediaTypeObject } from '@asteasolutions/zod-to-openapi';
import type * as z from 'zod';
import { GENERATION_EVENTS } from '../../../lambda/contract/responses/events.ts';
import { refTo } from './requests.ts';

type SchemaObject = Exclude<NonNullable<ZodMediaTypeObject['itemSchema']>, z.ZodType | { $ref: string }>;

const types = Object.entries(GENERATION_EVENTS);

/** Schema of a server-sent event as an object of its fields, as OpenAPI 3.2 describes the items of a stream. */
export const generationEvent = (): SchemaObject => ({
  type: 'object',
  description: 'A server-sent event. Lines that begin with a colon are comments.',
  required: ['id', 'event', 'data'],
  properties: {
    id: {
      type: 'string',
      pattern: '^\\d+$',
      description: 'Send it as `Last-Event-ID` to resume the stream.',
    },
    event: { type: 'string', enum: types.map(([type]) => type), description: 'Type of the event.' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'JSON that depends on the type.',
    },
    retry: { type: 'integer', description: 'Milliseconds to wait before the stream is opened again.' },
  },
  oneOf: types.map(([type, { when, data }]) => ({
    description: when,
    required: ['event'],
    properties: {
      event: { const: type },
      data: {
        contentMediaType: 'application/json',
        contentSchema: refTo(data),
      },
    },
  })),
});
