import type { Stack } from '../template/stack.ts';
import { Alarms, type AlarmsSettings, type StateChange } from './alarms.ts';
import { Metrics } from './metrics.ts';
import { SubscriptionProperties, TopicProperties } from './properties.ts';

/** How often alarms are evaluated. */
const EVERY_SECONDS = 10;

export interface CloudWatchSettings extends AlarmsSettings {
  /** Receives a line for each notification of an alarm. */
  readonly log: (line: string) => void;
}

/** CloudWatch with the alarms of the template, and SNS, whose notifications become log lines. */
export class CloudWatch {
  readonly metrics = new Metrics();
  /** All changes of alarms, the last one at the end. */
  readonly changes: StateChange[] = [];
  readonly #alarms: Alarms;
  readonly #settings: CloudWatchSettings;
  #timer: NodeJS.Timeout | undefined;

  constructor(stack: Stack, settings: CloudWatchSettings) {
    this.#alarms = new Alarms(stack, this.metrics, settings);
    this.#settings = settings;
    const topics = stack.all('AWS::SNS::Topic', TopicProperties).map(({ ref }) => ref);
    for (const { logicalId, properties } of stack.all('AWS::SNS::Subscription', SubscriptionProperties))
      if (!topics.includes(properties.TopicArn))
        throw new Error(`${logicalId} subscribes to ${properties.TopicArn}, which is not in the template`);
  }

  /** Starts evaluating the alarms. */
  start(): void {
    const { periodSeconds = Number.POSITIVE_INFINITY } = this.#settings;
    const seconds = Math.min(EVERY_SECONDS, periodSeconds / 4);
    this.#timer = setInterval(() => this.#evaluate(), seconds * 1_000).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #evaluate(): void {
    for (const change of this.#alarms.evaluate()) {
      this.changes.push(change);
      if (change.topics.length > 0) this.#settings.log(`SNS: ${change.state}: ${change.description}`);
    }
  }
}
