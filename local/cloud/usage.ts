import diagnostics from 'node:diagnostics_channel';

/** A use of a service, in the units that AWS charges for. */
export type Usage =
  | {
      readonly service: 'dynamodb';
      readonly operation: string;
      readonly table: string;
      /**
       * Request units. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
       */
      readonly readUnits: number;
      readonly writeUnits: number;
    }
  | { readonly service: 's3'; readonly operation: string }
  | { readonly service: 'lambda'; readonly function: string; readonly memoryMb: number }
  /** One state transition. */
  | { readonly service: 'states'; readonly machine: string };

/**
 * The channel on which the services of this process publish `Usage`. S3 and DynamoDB are in the process of the backend,
 * which sends what they publish to its parent if `METERED` is set.
 */
export const usage = diagnostics.channel('local-cloud:usage');

/** Publishes a use, if someone measures. */
export function meter(use: Usage): void {
  if (usage.hasSubscribers) usage.publish(use);
}
