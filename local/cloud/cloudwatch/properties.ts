import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';

const statistic = z.enum(['Sum', 'Maximum', 'Minimum', 'Average', 'SampleCount']);
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

export const AlarmProperties = z.strictObject({
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

export const CompositeAlarmProperties = z.strictObject({ ...common, AlarmRule: z.string() });

export const TopicProperties = z.strictObject({
  TopicName: z.string().optional(),
  // Notifications go to the log.
  KmsMasterKeyId: noLocalEffect,
});

export const SubscriptionProperties = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.enum(['email', 'https']),
  Endpoint: z.string(),
});
