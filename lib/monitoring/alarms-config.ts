import * as z from 'zod';

const receiver = z
  .string()
  .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/\S+)$/, 'must be an e-mail address or an https URL');

/** Whom alarms notify, and what of them depends on the stage. */
export const alarmsConfig = z
  .strictObject({
    /** Who is called at any hour, such as an https endpoint of an on-call service. */
    page: z.array(receiver).default([]),
    /** Who reads in working hours. */
    ticket: z.array(receiver).default([]),
    /** Where descriptions of alarms say that the runbook is. */
    runbook: z.string().default('docs/runbook.md'),
    /** How many requests beyond a rate limit, in 15 minutes, are a ticket. */
    limitedRequests: z.int().min(1).default(500),
    /** How many GB that visitors download in a day are a ticket; 1 TB a month is free. */
    downloadedGB: z.number().positive().default(30),
  })
  .prefault({});

export type AlarmsConfig = z.output<typeof alarmsConfig>;
