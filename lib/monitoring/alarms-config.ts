import * as z from 'zod';

const receiver = z
  .string()
  .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/\S+)$/, 'must be an e-mail address or an https URL');

/** The recipients of alarms, and the thresholds that depend on the stage. */
export const alarmsConfig = z
  .strictObject({
    /** Recipients at any hour, such as the https endpoint of an on-call service. */
    page: z.array(receiver).default([]),
    /** Recipients in working hours. */
    ticket: z.array(receiver).default([]),
    /** The path or URL of the runbook in the descriptions of alarms. */
    runbook: z.string().default('docs/runbook.md'),
    /** How many requests beyond a rate limit, in 15 minutes, raise a ticket. */
    limitedRequests: z.int().min(1).default(500),
    /** How many GB of downloads by visitors in a day raise a ticket; 1 TB a month is free. */
    downloadedGB: z.number().positive().default(30),
  })
  .prefault({});

export type AlarmsConfig = z.output<typeof alarmsConfig>;
