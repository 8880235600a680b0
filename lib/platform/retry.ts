import { Errors, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';

/** Retries of a task that outlast an outage of about an hour. */
export const RETRY_FOR_AN_HOUR: RetryProps = {
  errors: [Errors.ALL],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 20,
};
