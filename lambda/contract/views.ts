import * as z from 'zod';
import { dayParameter } from './days.ts';
import type { viewsResponse } from './responses/views.ts';

/** The most paths and hosts in a response; others are counted together. */
export const LISTED_NAMES = 50;

/** Query of `GET /api/v1/deployments/{id}/views`. */
export const viewsQuery = z.object({
  from: dayParameter('from').describe('First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`.'),
  to: dayParameter('to').describe('Last day, inclusive. Default: today.'),
});

export type ViewsQuery = z.output<typeof viewsQuery>;

/** Response of `GET /api/v1/deployments/{id}/views`. */
export type ViewsResponse = z.output<typeof viewsResponse>;
