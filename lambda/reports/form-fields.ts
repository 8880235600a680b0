import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from '../http/request.ts';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';

/** What a person entered into the form, not yet checked. */
export type FormFields = {
  readonly [Name in 'url' | 'reason' | 'details' | 'contact']?: string | undefined;
};

/** More than the form can have, encoded. */
const MOST_BYTES = 65_536;

/** @throws ApiError unsupported_media_type, payload_too_large */
export function postedFields({ headers, rawBody }: Pick<ApiRequest, 'headers' | 'rawBody'>): FormFields {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new ApiError('unsupported_media_type', 'Send the form of this page, or JSON to /api/v1/reports');
  const bytes = rawBody();
  if (bytes.length > MOST_BYTES)
    throw new ApiError('payload_too_large', 'The form is larger than its fields may be');
  return fieldsOf(new URLSearchParams(bytes.toString()));
}

/** Returns the fields that a link to the form fills in. @param query `page` is the id of a deployment, or an address */
export function linkedFields({ query }: Pick<ApiRequest, 'query'>, baseUrl: string): FormFields {
  const { page = '' } = query;
  if (page === '') return {};
  return { url: DEPLOYMENT_ID.test(page) ? `${baseUrl}/d/${page}` : page };
}

function fieldsOf(parameters: URLSearchParams): FormFields {
  const field = (name: string) => {
    // Forms send line breaks as CR LF.
    const value = parameters.get(name)?.replaceAll('\r\n', '\n').trim() ?? '';
    return value === '' ? undefined : value;
  };
  return {
    url: field('url'),
    reason: field('reason'),
    details: field('details'),
    contact: field('contact'),
  };
}
