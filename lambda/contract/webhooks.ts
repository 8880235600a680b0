import * as z from 'zod';
import { object, text } from './messages.ts';

/** Where to send a notification. What its address may be depends on the stage, and is checked by the operation. */
export const webhook = z.object(
  {
    url: z
      .string(text('webhook.url', 'the URL to notify'))
      .max(2_048, 'webhook.url has more than 2,048 characters')
      .refine(isPlainUrl, 'webhook.url must be an https URL without user name and password')
      .describe('URL to `POST` to: https, at a public address, at most 2,048 characters.'),
  },
  object('webhook'),
);

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
