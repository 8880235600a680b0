import type { CfnStage, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  type Alarm,
  AlarmRule,
  AlarmState,
  type CfnAlarm,
  CompositeAlarm,
  type IAlarm,
  type Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { type CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Aws, Stack } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { Alarms, addPages, addTickets, type Pages, type Resources } from './alarms.ts';
import { StageDashboard } from './dashboard.ts';

interface MonitoringProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly generations: StateMachine;
  readonly webhooks: StateMachine;
  /** Functions whose events are lost after their retries. */
  readonly asyncFunctions: readonly LambdaFunction[];
  /** How often the canary was started; undefined without a canary. */
  readonly canaryStarts: Metric | undefined;
}

/**
 * Alarms of two severities, each with a topic, and a dashboard. They cover the resources that the stack has when this construct is
 * created. An operator needs no other account or service.
 */
export class Monitoring extends Construct {
  readonly pageTopic: Topic;
  readonly ticketTopic: Topic;
  /** The alarms that go off when visitors or callers get errors. */
  readonly health: readonly IAlarm[];

  constructor(scope: Construct, id: string, { config, api, canaryStarts, ...known }: MonitoringProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const resources = resourcesOf(stack, known);
    const namespace = stack.stackName;
    const { runbook, page, ticket } = config.alarms;
    this.pageTopic = this.#topic('Pages', page);
    this.ticketTopic = this.#topic('Tickets', ticket);
    const pages = new Alarms(this, 'Page', runbook);
    const found = addPages(pages, {
      resources,
      api,
      namespace,
      canaryStarts,
    });
    this.health = found.health;
    this.#page(found, runbook);
    const tickets = new Alarms(this, 'Ticket', runbook);
    addTickets(tickets, {
      resources,
      namespace,
      config: config.alarms,
      providers: Object.keys(config.providers),
    });
    notify(tickets.all, this.ticketTopic);
    const alarms = [...pages.all, ...tickets.all].filter(existsEverywhere);
    new StageDashboard(this, 'Dashboard', { resources, api, namespace, config, alarms });
  }

  #topic(id: string, receivers: readonly string[]): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    // A policy replaces the default one, which lets any principal in the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const receiver of receivers)
      topic.addSubscription(
        receiver.startsWith('https:') ? new UrlSubscription(receiver) : new EmailSubscription(receiver),
      );
    return topic;
  }

  /** One fault can trigger several alarms: the composite one notifies once, until all are OK. A spent budget is separate. */
  #page({ health, budget }: Pages, runbook: string): void {
    const unhealthy = new CompositeAlarm(this, 'Unhealthy', {
      alarmRule: AlarmRule.anyOf(...health.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
      alarmDescription: `Visitors or callers get errors: see the alarms that this one combines. ${runbook}#unhealthy`,
    });
    notify([unhealthy, ...budget], this.pageTopic);
  }
}

const existsEverywhere = ({ node }: Alarm) => (node.defaultChild as CfnAlarm).cfnOptions.condition === undefined;

function notify(alarms: readonly (Alarm | CompositeAlarm)[], topic: Topic): void {
  const action = new SnsAction(topic);
  for (const alarm of alarms) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}

/**
 * Turns X-Ray on for the API, all functions and all state machines of a stack. The services send the segments, so the code of
 * functions does not change. https://docs.aws.amazon.com/xray/latest/devguide/security_iam_id-based-policy-examples.html
 */
export function traceAll(stack: IConstruct, api: RestApi): void {
  (api.deploymentStage.node.defaultChild as CfnStage).tracingEnabled = true;
  for (const one of stack.node.findAll()) {
    if (one instanceof BundledFunction) {
      (one.node.defaultChild as CfnFunction).tracingConfig = { mode: 'Active' };
      one.addToRolePolicy(mayTrace('xray:PutTraceSegments', 'xray:PutTelemetryRecords'));
    }
    if (one instanceof StateMachine) {
      (one.node.defaultChild as CfnStateMachine).tracingConfiguration = { enabled: true };
      one.addToRolePolicy(
        mayTrace(
          'xray:PutTraceSegments',
          'xray:PutTelemetryRecords',
          'xray:GetSamplingRules',
          'xray:GetSamplingTargets',
        ),
      );
    }
  }
}

/** X-Ray's actions do not support resource-level permissions. */
const mayTrace = (...actions: string[]) => new PolicyStatement({ actions, resources: ['*'] });

/** Finds the other resources in the stack, so that new ones are always included. */
function resourcesOf(
  stack: IConstruct,
  known: Pick<Resources, 'asyncFunctions' | 'generations' | 'webhooks'>,
): Resources {
  const all = stack.node.findAll();
  const machines = all.filter((one) => one instanceof StateMachine);
  return {
    ...known,
    functions: all.filter((one) => one instanceof BundledFunction),
    otherMachines: machines.filter((machine) => machine !== known.generations && machine !== known.webhooks),
    tables: all.filter((one) => one instanceof TableV2),
    distributions: all.filter((one) => one instanceof Distribution),
  };
}
