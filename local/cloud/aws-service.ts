import type { AwsReply, AwsRequest } from './aws-http.ts';
import type { Verification } from './sigv4.ts';

/** An AWS service on the backend's shared port. */
export interface AwsService {
  /** The name of the service in the scope of a signature. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  /** The response to a body over `maxBodyBytes`. */
  readonly bodyTooLarge: AwsReply;
  handle(request: AwsRequest, verification: Verification): Promise<AwsReply>;
}
