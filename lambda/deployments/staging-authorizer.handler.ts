import { callerPorts } from '../http/api-ports.ts';
import { stagingAuthorizer } from './staging-authorizer.ts';

/** Lets API Gateway store the large body of a deploy, or has it refused. */
export const handler = stagingAuthorizer(callerPorts());
