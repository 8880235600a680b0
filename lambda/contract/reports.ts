import * as z from 'zod';
import { atMost, exactlyOne, oneOf, text } from './messages.ts';
import type { reportResponse } from './responses/deploy.ts';

export const REPORT_REASONS = ['phishing', 'malware', 'spam', 'copyright', 'other'] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

/** The most characters of the texts of a report. */
export const REPORT_LIMITS = { url: 2_000, details: 1_000, contact: 200 } as const;

const characters = (value: unknown) => Array.from(value as string).length;

function bounded(field: keyof typeof REPORT_LIMITS, meaning: string, description: string) {
  const maxLength = REPORT_LIMITS[field];
  return z
    .string(text(field, meaning))
    .refine((value) => characters(value) <= maxLength, atMost(field, maxLength, 'characters', characters))
    .optional()
    .meta({ description, maxLength });
}

/** Body of `POST /api/v1/reports`. Unknown fields are ignored. */
export const reportRequest = z
  .object({
    url: bounded(
      'url',
      'the address of the page',
      'Address of the page as visitors see it. Required unless `deploymentId` is sent.',
    ),
    deploymentId: z
      .string(text('deploymentId', 'the id of the deployment'))
      .optional()
      .describe('Instead of `url`: the id of the deployment.'),
    reason: z.enum(REPORT_REASONS, oneOf('reason', REPORT_REASONS)).describe('What is wrong with the page.'),
    details: bounded(
      'details',
      'what the operator should know',
      `What the operator should know; at most 1,000 characters.`,
    ),
    contact: bounded(
      'contact',
      'how to reach the sender',
      'How the operator can reach the sender, such as an e-mail address.',
    ),
  })
  .superRefine(exactlyOne('url', 'deploymentId', 'the address of the page, or send deploymentId instead'));

export type ReportRequest = z.output<typeof reportRequest>;

/** Response of `POST /api/v1/reports`. */
export type ReportResponse = z.output<typeof reportResponse>;
