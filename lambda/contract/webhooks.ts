import * as z from 'zod';
import { object, text } from './messages.ts';

/** Returns the schema of a URL to notify. What its address may be depends on the stage, and is checked by the operation. */
export function webhookUrl(field: string) {
  return z
    .string(text(field, 'the URL to notify'))
    .max(2_048, `${field} has more than 2,048 characters`)
    .refine(isPlainUrl, `${field} must be an https URL without user name and password`);
}

/** Where to send a notification. */
export const webhook = z.object(
  {
    url: webhookUrl('webhook.url').describe('URL to `POST` to: https, at a public address, at most 2,048 characters.'),
  },
  object('webhook'),
);

/** Reports if a text is an http or https URL without user name and password. */
export function isPlainUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
