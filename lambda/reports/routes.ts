import type { Caller } from '../access/callers.ts';
import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { reportRequest } from '../contract/reports.ts';
import { formBody, isForm } from '../http/input.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import { preferredLanguage } from '../platform/accept-headers.ts';
import { HTML } from '../platform/html.ts';
import { enteredFields, FORM_POLICY, type FormView, formPage, linkedFields, sentPage } from './form-page.ts';
import { FORM_LANGUAGES, type Refusal } from './form-texts.ts';
import { type ReportStage, report } from './report.ts';

/** The form for people, which needs no script. It is a page, not an operation of the API. */
const FORM_PATH = '/report';

/**
 * Returns the routes of reports: the operation, and the form.
 * @param abuse the operator's e-mail address or https URL, if the stage has one
 */
export function reportRoutes(stage: ReportStage, abuse: string | undefined): Route[] {
  return [
    route('report', async ({ request, body }) => ({
      statusCode: 202,
      body: await report(body, senderOf(request), stage),
    })),
    {
      method: 'GET',
      path: FORM_PATH,
      call: async (request) =>
        pageResponse(200, formPage(linkedFields(request, stage.baseUrl), viewOf(request, abuse))),
    },
    {
      method: 'POST',
      path: FORM_PATH,
      call: async (request) => {
        if (!isForm(request))
          throw new ApiError('unsupported_media_type', 'Send the form of this page, or JSON to /api/v1/reports');
        const { id } = await report(formBody(request, reportRequest), senderOf(request), stage);
        return pageResponse(202, sentPage(id, viewOf(request, abuse).language));
      },
    },
  ];
}

const pageResponse = (statusCode: number, page: string): ApiResponse => ({
  statusCode,
  headers: { 'Content-Type': HTML, 'Content-Security-Policy': FORM_POLICY },
  bytes: Buffer.from(page),
});

/** Responds with the form and the reason why a request for it failed; undefined for a request to the API. */
export function refusedForm(
  request: ApiRequest,
  { statusCode }: Pick<ApiResponse, 'statusCode'>,
  baseUrl: string,
  abuse: string | undefined,
): ApiResponse | undefined {
  if (request.path !== FORM_PATH) return undefined;
  const refusal = REFUSALS.find(([code]) => ERRORS[code].status === statusCode)?.[1] ?? 'later';
  const page = formPage(enteredFields(request, baseUrl), viewOf(request, abuse), refusal);
  return pageResponse(statusCode, page);
}

const REFUSALS: readonly (readonly [ErrorCode, Refusal])[] = [
  ['invalid_request', 'invalid'],
  ['payload_too_large', 'invalid'],
  ['forbidden', 'foreign'],
  ['not_found', 'unknown'],
  ['gone', 'gone'],
  ['taken_down', 'takenDown'],
  ['rate_limited', 'tooMany'],
];

function viewOf({ headers }: ApiRequest, abuse: string | undefined): FormView {
  return { language: preferredLanguage(headers['accept-language'], FORM_LANGUAGES), abuse };
}

/**
 * Returns who sends a report. Pages of other sites could otherwise have each of their visitors report a competitor: browsers say where
 * a request comes from, and no page can change that (W3C Fetch Metadata).
 * @throws ApiError forbidden
 */
function senderOf({ caller, headers }: ApiRequest): Caller {
  const site = headers['sec-fetch-site'];
  if (!caller?.credential && (site === 'cross-site' || site === 'same-site'))
    throw new ApiError(
      'forbidden',
      'Reports of browsers are accepted from the pages of this service only: open /report, or send an API key',
    );
  if (!caller) throw new Error('The caller is not known');
  return caller;
}
