import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import * as z from 'zod';
import { CONTROL } from '../../platform/aws.ts';
import { ENV, readEnv } from '../../platform/env.ts';
import { dropFromEdge, type Withdrawal, withdrawalName } from './edge-copies.ts';

const env = readEnv({ [ENV.distributionId]: z.string() });
const cloudFront = new CloudFrontClient(CONTROL);

/** Removes a deleted deployment from the edge. A retry of the state machine waits for the same invalidation. */
export const handler = (withdrawal: Withdrawal): Promise<void> =>
  dropFromEdge(
    withdrawal.id,
    withdrawalName(withdrawal),
    { distributionId: env.DISTRIBUTION_ID, tenants: withdrawal.tenants ?? [] },
    cloudFront,
  );
