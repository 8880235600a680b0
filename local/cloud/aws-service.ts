import type { AwsReply, AwsRequest } from './aws-http.ts';
import type { Verification } from './sigv4.ts';

/** One AWS service behind the port that the services share. */
export interface AwsService {
  /** The service's name in the scope of a signature. */
  readonly signingName: string;
  readonly maxBodyBytes: number;
  /** The answer to a body over `maxBodyBytes`. */
  readonly bodyTooLarge: AwsReply;
  handle(request: AwsRequest, verification: Verification): Promise<AwsReply>;
}
