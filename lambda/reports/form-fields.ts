import * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import { formBody, isForm } from '../http/input.ts';
import type { ApiRequest } from '../http/request.ts';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';

/** The fields of the form as they were entered, whatever they are. */
const anyFields = z.object({
  url: z.string().optional(),
  reason: z.string().optional(),
  details: z.string().optional(),
  contact: z.string().optional(),
});

export type FormFields = z.output<typeof anyFields>;

/** Returns what a link to the form fills in. @param query `page` is the id of a deployment, or an address */
export function linkedFields({ query }: Pick<ApiRequest, 'query'>, baseUrl: string): FormFields {
  const { page = '' } = query;
  if (page === '') return {};
  return { url: DEPLOYMENT_ID.test(page) ? `${baseUrl}/d/${page}` : page };
}

/** Returns what a person had entered when something went wrong, so that nobody has to enter it again. */
export function enteredFields(request: ApiRequest, baseUrl: string): FormFields {
  if (request.method !== 'POST') return linkedFields(request, baseUrl);
  if (!isForm(request)) return {};
  try {
    return formBody(request, anyFields);
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}
