import { ApiError } from '../../../client/client.ts';
import type { Failure } from './types.ts';

type Code = ApiError['code'] | 'refused' | 'files' | 'password' | 'unexpected';

/** The advice on each error, which is shown after its message. */
const ADVICE: Readonly<Record<Code, string>> = {
  build_failed: 'Change the files that the problems name, and try again.',
  invalid_request: 'Change what the message names, and try again.',
  unauthorized: 'Enter a valid API key under Account, or remove it.',
  forbidden: 'It belongs to another key or token: enter that key under Account.',
  not_found: 'Enter the API key that it was made with, or start again.',
  method_not_allowed: 'Reload the page: the service has changed.',
  unknown_files: 'Deploy again: all files are sent then.',
  conflict: 'Reload the page to see its present state.',
  gone: 'The deployment was deleted. Deploying again restores its URL.',
  precondition_failed: 'Another version went live: look at it, then decide whether to replace it.',
  payload_too_large: 'Leave out large files: a file can have 1 MB, a project 10 MB and 200 files.',
  unsupported_media_type: 'Reload the page: the service has changed.',
  idempotency_mismatch: 'Send it once more, as a new request.',
  rate_limited: 'Wait a minute, or enter an API key under Account for a higher limit.',
  taken_down: 'The operator took this page down. Contact the operator.',
  internal: 'Try again. If it happens again, send the request id to the operator.',
  deployment_backend_unreachable: 'Nothing was changed. Try again in a few seconds.',
  providers_failed: 'Try again in a few seconds, or choose another model. The attempts say what went wrong.',
  refused: 'Change the prompt, or choose another model.',
  unavailable: 'Try again in a few seconds.',
  closed: 'The operator has closed this for now. Try again later.',
  busy: 'Try again in a few seconds.',
  budget_spent: 'Wait until the time that the message names, or enter an API key under Account.',
  generation_timed_out: 'Try again with another model, or describe a smaller project.',
  network: 'Check the connection, and try again. What the service has begun goes on.',
  invalid_response: 'Something else answered in place of the service, such as a proxy: check the network.',
  files: 'Choose other files: a folder or zip of a site. Hidden files and what .gitignore names are left out.',
  password: 'It is under Publish. Then deploy again.',
  unexpected: 'Reload the page. If it happens again, this is a bug of the console.',
};

/** Returns what to do about a failure. */
export const adviceOn = ({ code }: Failure): string => ADVICE[code as Code] ?? ADVICE.unexpected;

/** Returns an error as data. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return { code: error.code, message: error.message, requestId: error.requestId };
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}
