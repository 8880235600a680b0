import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type IAlarm,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  CfnPermission,
  FunctionUrl,
  type FunctionUrlOptions,
  type IFunction,
  type IVersion,
} from 'aws-cdk-lib/aws-lambda';
import { Aws, Duration, Stack, Token } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { BundledFunction } from './bundled-function.ts';

/** The alias of every function that is rolled out. */
const LIVE = 'live';

/** More errors of a new version in a minute roll a deployment back. A single one may be due to a killed instance. */
const ERRORS_IN_A_MINUTE = 2;

/** How many minutes the alarm looks back: metrics are minutes late, and until then `FILL` gives the latest minutes a zero. */
const LOOKS_BACK = 5;

/** The most alarms of a deployment group, including its own. */
const MOST_ALARMS = 10;

/** The CodeDeploy resources that all functions share. */
interface Deployer {
  readonly application: LambdaApplication;
  readonly role: Role;
}

/**
 * Gives functions an alias, whose traffic a deployment moves to the new version in two steps: 10 % for five minutes, then all of it.
 * If an alarm goes off in between, CodeDeploy moves the traffic back, and the deployment of the stack fails and is rolled back. The
 * first deployment has no old version, so it only creates the alias.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html#cfn-attributes-updatepolicy-codedeploylambdaaliasupdate
 */
export class Rollout extends Construct {
  readonly #deployer: Deployer | undefined;
  readonly #groups: LambdaDeploymentGroup[] = [];
  readonly #runbook: string;

  constructor(scope: Construct, id: string, { rollout, alarms }: Pick<StageConfig, 'rollout' | 'alarms'>) {
    super(scope, id);
    this.#runbook = alarms.runbook;
    if (rollout === 'all-at-once') return;
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    this.#deployer = { application, role };
  }

  /**
   * Returns the alias of a function, to be used for invocations and URLs instead of the function. `"rollout": "all-at-once"` keeps the
   * alias, so that changing the configuration does not replace them.
   */
  of(fn: BundledFunction): IFunction {
    // The CDK's types disagree about optional properties.
    const alias = new LiveAlias(fn, 'Live', { aliasName: LIVE, version: fn.currentVersion as IVersion });
    if (this.#deployer) this.#addGroup(alias, this.#deployer);
    return alias as IFunction;
  }

  /**
   * Moves traffic back when one of at most nine alarms goes off. CodeDeploy gets their names as strings, because references would be
   * circular: the alias of the site function would depend on an alarm of an API function, which depends on the address of the
   * distribution, which depends on the alias.
   * @throws Error for more alarms, and for a composite alarm: AWS does not document whether CodeDeploy reads them
   */
  rollBackOn(alarms: readonly IAlarm[]): void {
    if (alarms.length >= MOST_ALARMS)
      throw new Error(
        `CodeDeploy reads at most ${MOST_ALARMS} alarms, including the function's own: ${alarms.length} others are too many`,
      );
    for (const alarm of alarms) {
      const named = Alarm.fromAlarmName(this, `Named${alarm.node.addr}`, literalName(alarm));
      for (const group of this.#groups) group.addAlarm(named);
    }
  }

  #addGroup(alias: Alias, { application, role }: Deployer): void {
    const group = new LambdaDeploymentGroup(alias, 'Rollout', {
      application,
      role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [errorsOfNewVersion(alias, this.#runbook)],
      // The deployment that creates the alarms may move the first aliases before the alarms exist.
      ignorePollAlarmsFailure: true,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    this.#groups.push(group);
  }
}

class LiveAlias extends Alias {
  override addFunctionUrl(options?: FunctionUrlOptions): FunctionUrl {
    return new AliasUrl(this, 'FunctionUrl', this, options);
  }
}

/**
 * The URL of an alias for CloudFront. A permission that references a distribution is created after it, so after an update that switches
 * the distribution to this URL, requests would get a 403 for minutes. Therefore all distributions of the account may invoke the alias,
 * and the stack's distributions must depend on this URL.
 */
class AliasUrl extends FunctionUrl {
  override readonly functionArn: string;

  constructor(scope: Construct, id: string, alias: Alias, options?: FunctionUrlOptions) {
    super(scope, id, { function: alias as IFunction, ...options });
    // AWS does not document whether `FunctionArn` of the URL includes the alias.
    this.functionArn = alias.functionArn;
    const permission = {
      principal: 'cloudfront.amazonaws.com',
      functionName: alias.functionArn,
      sourceArn: `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution/*`,
    };
    new CfnPermission(this, 'InvokeUrl', { ...permission, action: 'lambda:InvokeFunctionUrl' });
    const viaUrl = { action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true };
    new CfnPermission(this, 'Invoke', { ...permission, ...viaUrl });
  }
}

/**
 * Returns an alarm on the errors of the new version only, whose number is known before the alias moves: invocations that failed, and
 * requests that got a 5xx because the function caught an exception.
 */
function errorsOfNewVersion(alias: Alias, runbook: string): Alarm {
  const { functionName } = alias.lambda;
  const { version } = alias.version;
  const period = Duration.minutes(1);
  const errors = alias.metricErrors({
    period,
    dimensionsMap: {
      FunctionName: functionName,
      Resource: `${functionName}:${LIVE}`,
      ExecutedVersion: version,
    },
  });
  const failed = new Metric({
    namespace: Stack.of(alias).stackName,
    metricName: 'FailedRequests',
    dimensionsMap: { Function: functionName, Version: version },
    statistic: 'Sum',
    period,
  });
  const both = new MathExpression({
    expression: 'FILL(errors, 0) + FILL(failed, 0)',
    usingMetrics: { errors, failed },
    period,
  });
  return new Alarm(alias, 'NewVersionErrors', {
    alarmDescription: `The new version of a function fails, and its deployment is rolled back. ${runbook}#newversionerrors`,
    metric: both,
    threshold: ERRORS_IN_A_MINUTE,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: LOOKS_BACK,
    datapointsToAlarm: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** Returns the name of an alarm. Gives it one if it is unnamed. */
function literalName(alarm: IAlarm): string {
  const resource = alarm.node.defaultChild;
  if (!(resource instanceof CfnAlarm)) throw new Error(`${alarm.node.path} is not an alarm of a metric`);
  const { alarmName: given } = resource;
  if (given !== undefined && !Token.isUnresolved(given)) return given;
  const name = `${Stack.of(alarm).stackName}-${alarm.node.path.split('/').slice(1).join('-')}`;
  resource.alarmName = name;
  return name;
}
