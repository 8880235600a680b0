import { unauthorizedError } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import type { Deployment } from '../stored/deployment.ts';
import { TOKEN_HEADER } from '../stored/deployment-owner.ts';
import type { IfMatch } from '../stored/pointer-update.ts';

/** Returns the error for a deploy that lacks the required token, or undefined. */
export function missingTokenError({ tokenRequired }: Deployment, holdsToken: boolean): ApiError | undefined {
  if (!tokenRequired || holdsToken) return undefined;
  return unauthorizedError(
    `This projectId requires its ${TOKEN_HEADER}, because an earlier deploy has sent it; nothing was changed`,
  );
}

/** Returns the error for a deploy without the token that changes more than the files of an anonymous deployment. */
export function settingsTokenError(): ApiError {
  return unauthorizedError(
    `expiresInSeconds and access of an existing deployment require its ${TOKEN_HEADER}; nothing was changed`,
  );
}

/** Returns the error for a deploy by another sender than the owner, or undefined. */
export function claimedError(current: Deployment, owner: string): ApiError | undefined {
  if (current.owner === owner) return undefined;
  return new ApiError(
    'forbidden',
    'The deployment of this projectId was claimed with an API key: deploy with that key, or with another projectId; nothing was changed',
  );
}

/** Returns the error for a deployment that the operator took down, or undefined. */
export function takenDownError({ takenDown: decision }: Deployment): ApiError | undefined {
  if (!decision) return undefined;
  const reason = decision.reason ? `: ${decision.reason}` : '';
  return new ApiError('taken_down', `The operator took this deployment down${reason}`);
}

/** Returns the error for an `If-Match` that does not match, or undefined. */
export function ifMatchError(current: Deployment | undefined, ifMatch: IfMatch): ApiError | undefined {
  if (ifMatch === undefined) return undefined;
  const live = current && current.deletedAt === undefined ? current.live : undefined;
  if (live !== undefined && (ifMatch === '*' || ifMatch.includes(live))) return undefined;
  const now = live === undefined ? 'there is no live version' : `the live version is "${live}"`;
  return new ApiError('precondition_failed', `If-Match does not match: ${now}. Nothing was changed`);
}

/** Returns the error for a concurrent modification; the retry is evaluated against the current state. */
export function conflictError(): ApiError {
  return new ApiError('conflict', 'The deployment changed during this request: send the request again');
}
