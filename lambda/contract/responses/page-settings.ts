import * as z from 'zod';
import { ACCESS } from '../page-settings.ts';

/** The fields of a deployment that say who may see it. */
export const sharedFields = {
  access: z
    .enum(ACCESS)
    .describe('Who may see the pages. In the response of a deploy only if the request has `access`.'),
  link: z
    .strictObject({
      url: z.string().describe('The URL to send to people: it opens the pages in their browsers.'),
      expiresAt: z.int().describe('Unix time in milliseconds until which it does.'),
    })
    .optional()
    .describe('The link of pages with `access: "link"`. A change of `access` ends it.'),
  copiesUntil: z
    .int()
    .optional()
    .describe(
      'Unix time in milliseconds until which edge locations may still have copies from before the last change of the settings, such as public pages that became private. After it there are none.',
    ),
};

const sharedAccess = z.strictObject(sharedFields);

export type SharedAccess = z.output<typeof sharedAccess>;

/** Of deployments: when they end, and when they were claimed. */
export const lifeFields = {
  expiresAt: z
    .int()
    .optional()
    .describe(
      'Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays. Each deploy by its owner renews it.',
    ),
  claimedAt: z
    .int()
    .optional()
    .describe('Unix time in milliseconds when the owner claimed the deployment, which was anonymous before.'),
};
