import { callerAccess } from '../../http/api-access.ts';
import { stagingAuthorizer } from './staging-authorizer.ts';

/** Allows or denies that API Gateway stores the large body of a deploy. */
export const handler = stagingAuthorizer(callerAccess());
