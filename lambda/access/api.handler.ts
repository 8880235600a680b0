import { apiHandler } from '../http/pipeline.ts';
import { apiPorts } from './api-ports.ts';

/** Answers what no other capability does: an unknown route is a 404 that counts like any other call. */
export const handler = apiHandler([], apiPorts(), { unreachable: 'unavailable' });
