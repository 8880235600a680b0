/** An event as rules and targets see it. */
export interface AwsEvent {
  readonly version: '0';
  readonly id: string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, in seconds. */
  readonly time: string;
  readonly region: string;
  /** ARNs. */
  readonly resources: readonly string[];
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What a service of AWS sends. */
export type ServiceEvent = Pick<AwsEvent, 'source' | 'detail-type' | 'resources' | 'detail'>;

/** Sends an event to the default bus. Returns once the event survives a crash. */
export type Publish = (event: ServiceEvent) => void;
