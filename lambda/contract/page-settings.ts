import * as z from 'zod';
import { kindOf, oneOf, text } from './messages.ts';
import { webhookUrl } from './webhooks.ts';

/** Who may see a deployment's pages. */
export const ACCESS = ['public', 'password', 'link'] as const;

const YEAR = 31_536_000;
/** How long the link to private pages is valid by default, in seconds: a week. */
export const LINK_SECONDS = 604_800;

/** A number of seconds, from a minute to a year. */
function seconds(field: string) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `${field} must be a whole number of seconds from 60 to ${YEAR}, not ${typeof input === 'number' ? input : kindOf(input)}`;
  return z.int({ error }).min(60, { error }).max(YEAR, { error });
}

/** `expiresInSeconds` of a deploy. */
export const expiresInSeconds = seconds('expiresInSeconds');

/** The fields of a request that change who may see a deployment. */
export const accessFields = {
  access: z
    .enum(ACCESS, oneOf('access', ACCESS))
    .optional()
    .describe(
      'Who may see the pages: `public` for everyone, `password` for those who know `password`, `link` for those who have the link of the response. Private pages require a service with origins for sites.',
    ),
  password: z
    .string(text('password', 'the password of the pages'))
    .min(8, 'password must have at least 8 characters')
    .max(128, 'password must have at most 128 characters')
    .optional()
    .describe('The password, with `access: "password"`; 8 to 128 characters. It is stored as a salted hash.'),
  linkExpiresInSeconds: seconds('linkExpiresInSeconds')
    .optional()
    .describe('How long the link is valid, with `access: "link"` only. Default: a week.'),
};

interface AccessInput {
  readonly access?: (typeof ACCESS)[number] | undefined;
  readonly password?: string | undefined;
  readonly linkExpiresInSeconds?: number | undefined;
}

/** Adds an issue if `access` lacks the field that it needs, or if a field is sent that another access has: it would be ignored. */
export function checkAccess({ access, password, linkExpiresInSeconds }: AccessInput, context: z.RefinementCtx): void {
  if ((access === 'password') !== (password !== undefined))
    context.addIssue('password is required with access: "password", and excluded with any other access');
  if (linkExpiresInSeconds !== undefined && access !== 'link')
    context.addIssue('linkExpiresInSeconds requires access: "link", which makes a new link');
}

/** Body of `PATCH /api/v1/deployments/{id}`. */
export const settingsRequest = z
  .object({
    ...accessFields,
    expiresInSeconds: expiresInSeconds
      .nullable()
      .optional()
      .describe(
        'When the deployment expires, from now on. `null` for as long as possible: for ever with an API key, otherwise as long as the service keeps anonymous deployments.',
      ),
    dataWebhook: webhookUrl('dataWebhook')
      .nullable()
      .optional()
      .describe(
        'URL to notify of each item that a visitor adds to the data of the site: https, at a public address, at most 2,048 characters; `null` for none. Requires the API key that the deployment belongs to.',
      ),
  })
  .superRefine(checkAccess)
  .refine(
    ({ access, expiresInSeconds: life, dataWebhook }) =>
      access !== undefined || life !== undefined || dataWebhook !== undefined,
    'Nothing to change: send access, expiresInSeconds or dataWebhook',
  );

export type SettingsRequest = z.output<typeof settingsRequest>;
export type AccessChange = Pick<SettingsRequest, 'access' | 'password' | 'linkExpiresInSeconds'>;

/** Body of `POST /api/v1/deployments/{id}/unlock`, which a form of the page sends. */
export const unlockRequest = z.object({
  password: z.string(text('password', 'the password of the page')).max(1_000).describe('What the visitor typed.'),
  to: z.string().max(4_000).optional().describe('The path of the page to go to, with its query. Default: `/`.'),
});
