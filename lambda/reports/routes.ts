import type { Caller } from '../access/callers.ts';
import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { Operation } from '../contract/operations.ts';
import { reportRequest } from '../contract/reports.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import { visitorLanguage } from '../platform/visitor-language.ts';
import { type FormFields, linkedFields, postedFields } from './form-fields.ts';
import { type FormView, formPage, sentPage } from './form-page.ts';
import type { Refusal } from './form-texts.ts';
import { type ReportPorts, report } from './report.ts';

export interface ReportRoutePorts extends ReportPorts {
  /** The operator's e-mail address or https URL, if the stage has one. */
  readonly abuse: string | undefined;
}

/** The form for people, which needs no script. It is a page, and no operation of the API. */
const FORM_PATH = '/report';
const form = (method: Operation['method']): Operation => ({
  method,
  path: FORM_PATH,
  title: 'Report a page',
  summary: 'The form for reports',
  responses: {},
  errors: [],
});

/** Returns the routes of reports: the operation, and the form. */
export function reportRoutes(ports: ReportRoutePorts): Route[] {
  return [
    route('report', async ({ request, body }) => ({
      statusCode: 202,
      body: await report(body, senderOf(request), ports),
    })),
    {
      operation: form('GET'),
      call: async (request) => ({
        statusCode: 200,
        page: formPage(linkedFields(request, ports.baseUrl), viewOf(request, ports)),
      }),
    },
    {
      operation: form('POST'),
      call: async (request) => {
        const { success, data } = reportRequest.safeParse(postedFields(request));
        if (!success) throw new ApiError('invalid_request', 'A field of the form is missing or invalid');
        const { id } = await report(data, senderOf(request), ports);
        return { statusCode: 202, page: sentPage(id, viewOf(request, ports).language) };
      },
    },
  ];
}

/** Returns the form with the reason why a request for it failed; undefined for a request to the API. */
export function refusedForm(
  request: ApiRequest,
  { statusCode }: Pick<ApiResponse, 'statusCode'>,
  ports: Pick<ReportRoutePorts, 'abuse' | 'baseUrl'>,
): string | undefined {
  if (request.path !== FORM_PATH) return undefined;
  const refusal = REFUSALS.find(([code]) => ERRORS[code].status === statusCode)?.[1] ?? 'later';
  return formPage(enteredFields(request, ports.baseUrl), viewOf(request, ports), refusal);
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

function enteredFields(request: ApiRequest, baseUrl: string): FormFields {
  try {
    return request.method === 'POST' ? postedFields(request) : linkedFields(request, baseUrl);
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}

function viewOf({ headers }: ApiRequest, { abuse }: Pick<ReportRoutePorts, 'abuse'>): FormView {
  return { language: visitorLanguage(headers['accept-language']), abuse };
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
