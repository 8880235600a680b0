import { Aws, Duration, Stack, Token } from 'aws-cdk-lib';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type IAlarm,
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
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { BundledFunction } from './bundled-function.ts';

/** The alias of every function that is rolled out. */
export const LIVE = 'live';

/** More errors of a new version in a minute roll a deployment back: a single one may be that of a killed instance. */
const ERRORS_IN_A_MINUTE = 2;

/** Of a deployment group, with the alarm of its own. */
const MOST_ALARMS = 10;

/** What CodeDeploy needs. */
interface Deployer {
  readonly application: LambdaApplication;
  readonly role: Role;
}

/**
 * Gives functions an alias, whose traffic a deployment moves to the new version in two steps: 10 % for five minutes, then all of it.
 * An alarm in between moves it back, and the deployment of the stack fails and is rolled back. The first deployment has no old version
 * and creates the alias as it is.
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
   * Returns the alias of a function, which invokes and URLs must name instead of the function. It stays with `"rollout": "all-at-once"`,
   * so that a change of the configuration replaces neither.
   */
  of(fn: BundledFunction): IFunction {
    // The CDK's types disagree about optional properties.
    const alias = new LiveAlias(fn, 'Live', { aliasName: LIVE, version: fn.currentVersion as IVersion });
    if (this.#deployer) this.#addGroup(alias, this.#deployer);
    return alias as IFunction;
  }

  /**
   * Moves traffic back when one of these alarms rings, at most nine. CodeDeploy gets their names as text: an alarm of another function
   * would otherwise be created before this alias, and that function after it, since it knows the address of the distribution, which
   * needs the alias of the site function.
   * @throws Error for more, and for a composite alarm: AWS does not say whether CodeDeploy reads them
   */
  rollBackOn(alarms: readonly IAlarm[]): void {
    if (alarms.length >= MOST_ALARMS)
      throw new Error(
        `CodeDeploy takes ${MOST_ALARMS} alarms, but there are ${alarms.length} and one of each function`,
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
      // The deployment that creates an alarm may move the first functions before.
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
 * The URL of an alias for CloudFront. Permissions that name a distribution are created after it, and a distribution that an update sends
 * to this URL would get a 403 for minutes. So the distributions of the account may invoke the alias before, if they depend on this.
 */
class AliasUrl extends FunctionUrl {
  override readonly functionArn: string;

  constructor(scope: Construct, id: string, alias: Alias, options?: FunctionUrlOptions) {
    super(scope, id, { function: alias as IFunction, ...options });
    // AWS does not say whether `FunctionArn` of the URL names the alias.
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

/** The version's own errors, which no error of the old version hides or causes. Its number is known before the alias moves. */
function errorsOfNewVersion(alias: Alias, runbook: string): Alarm {
  const { functionName } = alias.lambda;
  const errors = alias.metricErrors({
    period: Duration.minutes(1),
    dimensionsMap: {
      FunctionName: functionName,
      Resource: `${functionName}:${LIVE}`,
      ExecutedVersion: alias.version.version,
    },
  });
  return new Alarm(alias, 'NewVersionErrors', {
    alarmDescription: `The new version of a function fails, and its deployment is rolled back. ${runbook}#newversionerrors`,
    metric: errors,
    threshold: ERRORS_IN_A_MINUTE,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** Returns the name of an alarm, which gets one if it has none. */
function literalName(alarm: IAlarm): string {
  const resource = alarm.node.defaultChild;
  if (!(resource instanceof CfnAlarm)) throw new Error(`${alarm.node.path} is not an alarm of a metric`);
  const { alarmName: given } = resource;
  if (given !== undefined && !Token.isUnresolved(given)) return given;
  const name = `${Stack.of(alarm).stackName}-${alarm.node.path.split('/').slice(1).join('-')}`;
  resource.alarmName = name;
  return name;
}
