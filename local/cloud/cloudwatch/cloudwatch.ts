import * as z from 'zod';
import type { Resource, Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';
import { type Dimensions, evaluate, type MetricName, Metrics } from './metrics.ts';

/** The interval between evaluations of alarms. */
const EVERY_SECONDS = 10;

/** How late metrics are. */
const LATE_SECONDS = 60;

interface CloudWatchSettings extends AlarmsSettings {
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
    const { periodSeconds } = this.#settings;
    const seconds = periodSeconds === undefined ? EVERY_SECONDS : Math.min(1, periodSeconds / 4);
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

type Alarm = Resource<z.output<typeof AlarmProperties>>;
type Composite = Resource<z.output<typeof CompositeAlarmProperties>>;

type AlarmState = 'OK' | 'ALARM';

interface StateChange {
  /** The logical id of the alarm. */
  readonly alarm: string;
  readonly state: AlarmState;
  readonly description: string;
  /** ARNs of the topics that it notifies. */
  readonly topics: readonly string[];
}

interface AlarmsSettings {
  /** The quota of concurrent executions, the only quota that alarms use. */
  readonly quota: number;
  /** The period of all alarms; by default, the periods of the template. */
  readonly periodSeconds?: number | undefined;
}

/**
 * The alarms of the template. Their periods end at the time of evaluation instead of at a whole minute. An alarm goes
 * off if `DatapointsToAlarm` of its `EvaluationPeriods` are above the threshold. Metrics are late for expressions that replace what is
 * missing; for others, CloudWatch waits for the values.
 */
export class Alarms {
  readonly #alarms: readonly Alarm[];
  readonly #composites: readonly Composite[];
  readonly #states = new Map<string, AlarmState>();
  readonly #metrics: Metrics;
  readonly #settings: AlarmsSettings;

  constructor(stack: Stack, metrics: Metrics, settings: AlarmsSettings) {
    this.#alarms = stack.all('AWS::CloudWatch::Alarm', AlarmProperties);
    this.#composites = stack.all('AWS::CloudWatch::CompositeAlarm', CompositeAlarmProperties);
    this.#metrics = metrics;
    this.#settings = settings;
  }

  /** Evaluates all alarms, and returns the changes. @param now in Unix milliseconds */
  evaluate(now = Date.now()): StateChange[] {
    const changes = this.#alarms.flatMap((alarm) => this.#change(alarm, this.#stateOf(alarm, now)));
    // Composite alarms depend on the others.
    return [...changes, ...this.#composites.flatMap((one) => this.#change(one, this.#compositeState(one)))];
  }

  #change({ logicalId, properties }: Alarm | Composite, state: AlarmState): StateChange[] {
    const before = this.#states.get(logicalId) ?? 'OK';
    this.#states.set(logicalId, state);
    const topics = state === 'ALARM' ? properties.AlarmActions : properties.OKActions;
    if (state === before) return [];
    return [{ alarm: logicalId, state, description: properties.AlarmDescription ?? '', topics }];
  }

  #stateOf({ properties }: Alarm, now: number): AlarmState {
    const { EvaluationPeriods, DatapointsToAlarm, Threshold, TreatMissingData, Metrics } = properties;
    const ms = (this.#settings.periodSeconds ?? periodOf(properties)) * 1_000;
    const fills = Metrics.some(({ Expression }) => Expression?.includes('FILL('));
    const known = fills ? now - (ms * LATE_SECONDS) / periodOf(properties) : now;
    const isBreaching = Array.from({ length: EvaluationPeriods }, (_, i) => {
      const value = this.#valueOf(properties, now - (i + 1) * ms, Math.min(known, now - i * ms));
      return value === undefined ? TreatMissingData === 'breaching' : value > Threshold;
    });
    return isBreaching.filter(Boolean).length >= DatapointsToAlarm ? 'ALARM' : 'OK';
  }

  #valueOf(properties: Alarm['properties'], from: number, to: number): number | undefined {
    const { Namespace = '', MetricName: name = '', Dimensions, Statistic = 'Sum', Metrics } = properties;
    const own = { namespace: Namespace, name, dimensions: dimensionsOf(Dimensions) };
    const shown = Metrics.find(({ ReturnData }) => ReturnData);
    if (shown === undefined) return this.#metrics.statistic(own, Statistic, from, to);
    const values = Metrics.flatMap(({ Id, MetricStat }) => {
      if (MetricStat === undefined) return [];
      const metric = metricOf(MetricStat.Metric);
      return [[Id, this.#metrics.statistic(metric, MetricStat.Stat, from, to)] as const];
    });
    const byId = Object.fromEntries(values);
    if (shown.Expression === undefined) return byId[shown.Id];
    return evaluate(shown.Expression, byId, this.#settings.quota);
  }

  /** Supports only ALARM and OR in rules. */
  #compositeState({ logicalId, properties }: Composite): AlarmState {
    const rest = properties.AlarmRule.replace(/ALARM\("[^"]+"\)|\bOR\b|[\s()]/g, '');
    if (rest !== '') throw new Error(`The local cloud does not support the rule of ${logicalId}: ${rest}`);
    const parts = Array.from(properties.AlarmRule.matchAll(/ALARM\("([^"]+)"\)/g), ([, arn]) => arn);
    const named = this.#alarms.filter((alarm) => parts.includes(alarm.attribute('Arn')));
    return named.some((alarm) => this.#states.get(alarm.logicalId) === 'ALARM') ? 'ALARM' : 'OK';
  }
}

function periodOf({ Period, Metrics }: Alarm['properties']): number {
  return Period ?? Metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 60;
}

function metricOf({
  Namespace,
  MetricName: name,
  Dimensions,
}: {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
}): MetricName {
  return { namespace: Namespace, name, dimensions: dimensionsOf(Dimensions) };
}

function dimensionsOf(list: readonly { readonly Name: string; readonly Value: string }[]): Dimensions {
  return Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));
}

const statistic = z.enum(['Sum', 'Maximum']);
const dimensions = z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]);

const metric = z.strictObject({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: dimensions,
});

const query = z.strictObject({
  Id: z.string(),
  Expression: z.string().optional(),
  Label: noLocalEffect,
  Period: z.number().optional(),
  ReturnData: z.boolean().default(true),
  MetricStat: z.strictObject({ Metric: metric, Period: z.number(), Stat: statistic }).optional(),
});

/** Properties of both kinds of alarms. */
const common = {
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().optional(),
  AlarmActions: z.array(z.string()).default([]),
  OKActions: z.array(z.string()).default([]),
};

const AlarmProperties = z.strictObject({
  ...common,
  ComparisonOperator: z.literal('GreaterThanThreshold'),
  Threshold: z.number(),
  EvaluationPeriods: z.int(),
  DatapointsToAlarm: z.int(),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
  // Either a metric, or an expression in `Metrics`.
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: dimensions,
  Statistic: statistic.optional(),
  Period: z.number().optional(),
  Metrics: z.array(query).default([]),
});

const CompositeAlarmProperties = z.strictObject({ ...common, AlarmRule: z.string() });

const TopicProperties = z.strictObject({
  TopicName: z.string().optional(),
  // Notifications go to the log.
  KmsMasterKeyId: noLocalEffect,
});

const SubscriptionProperties = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.enum(['email', 'https']),
  Endpoint: z.string(),
});
