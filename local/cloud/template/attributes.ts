import { physicalName, stableId } from './template.ts';

/** The values that determine the names and ids of a resource. */
export interface Identity {
  readonly stackName: string;
  readonly logicalId: string;
  readonly accountId: string;
  readonly region: string;
  /** `host:port` of the front door, which replaces the main distribution. */
  readonly frontDoor: string;
  /** Returns a resolved property, or undefined. */
  readonly property: (name: string) => unknown;
}

/** Return values of one resource: `Ref`, and `Fn::GetAtt` by attribute name. */
export interface ReturnValues {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * `Ref` and `Fn::GetAtt` of every supported resource type (CloudFormation template reference, "Return values"
 * of each type). Names derive from the logical id, so that they survive a restart.
 */
export const RETURN_VALUES: Readonly<Record<string, (id: Identity) => ReturnValues>> = {
  'AWS::DynamoDB::GlobalTable': (id) => {
    const name = resourceName(id, 'TableName', 255);
    return { ref: name, attributes: { Arn: arn(id, 'dynamodb', `table/${name}`) } };
  },
  'AWS::S3::Bucket': (id) => {
    const name = resourceName(id, 'BucketName', 63).toLowerCase();
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${id.region}.amazonaws.com`,
      },
    };
  },
  'AWS::S3::BucketPolicy': (id) => ({ ref: id.logicalId }),
  'AWS::IAM::Role': (id) => {
    const name = resourceName(id, 'RoleName', 64);
    return { ref: name, attributes: { Arn: `arn:aws:iam::${id.accountId}:role/${name}` } };
  },
  'AWS::IAM::Policy': (id) => ({ ref: id.logicalId }),
  'AWS::Lambda::Function': (id) => {
    const name = resourceName(id, 'FunctionName', 64);
    return { ref: name, attributes: { Arn: arn(id, 'lambda', `function:${name}`) } };
  },
  // The local cloud runs only one version.
  'AWS::Lambda::Version': (id) => ({
    ref: `${arn(id, 'lambda', `function:${id.property('FunctionName')}`)}:1`,
    attributes: { Version: '1' },
  }),
  'AWS::Lambda::Alias': (id) => ({
    ref: arn(id, 'lambda', `function:${id.property('FunctionName')}:${id.property('Name')}`),
  }),
  'AWS::Lambda::Permission': (id) => ({ ref: id.logicalId }),
  'AWS::Lambda::EventInvokeConfig': (id) => ({ ref: id.logicalId }),
  'AWS::Lambda::Url': (id) => {
    const qualifier = id.property('Qualifier');
    const target = String(id.property('TargetFunctionArn'));
    const functionArn = qualifier === undefined ? target : `${target}:${qualifier}`;
    return {
      ref: functionArn,
      attributes: {
        FunctionArn: functionArn,
        FunctionUrl: `https://${unique(id, 32)}.lambda-url.${id.region}.on.aws/`,
      },
    };
  },
  'AWS::Lambda::LayerVersion': (id) => ({ ref: `${arn(id, 'lambda', `layer:${id.logicalId}`)}:1` }),
  'AWS::Logs::LogGroup': (id) => {
    const name = resourceName(id, 'LogGroupName', 512);
    return { ref: name, attributes: { Arn: arn(id, 'logs', `log-group:${name}:*`) } };
  },
  'AWS::Logs::ResourcePolicy': (id) => ({ ref: id.logicalId }),
  'AWS::Logs::DeliverySource': (id) => ({ ref: String(id.property('Name')) }),
  'AWS::Logs::DeliveryDestination': (id) => {
    const name = String(id.property('Name'));
    return { ref: name, attributes: { Arn: arn(id, 'logs', `delivery-destination:${name}`) } };
  },
  'AWS::Logs::Delivery': (id) => ({ ref: unique(id, 16) }),
  'AWS::StepFunctions::StateMachine': (id) => {
    const name = resourceName(id, 'StateMachineName', 80);
    const machine = arn(id, 'states', `stateMachine:${name}`);
    return { ref: machine, attributes: { Arn: machine, Name: name } };
  },
  'AWS::CodeDeploy::Application': (id) => ({ ref: resourceName(id, 'ApplicationName', 100) }),
  'AWS::CodeDeploy::DeploymentGroup': (id) => ({ ref: resourceName(id, 'DeploymentGroupName', 100) }),
  'AWS::Events::Rule': (id) => {
    const name = resourceName(id, 'Name', 64);
    return { ref: name, attributes: { Arn: arn(id, 'events', `rule/${name}`) } };
  },
  'AWS::CloudWatch::Alarm': (id) => {
    const name = resourceName(id, 'AlarmName', 255);
    return { ref: name, attributes: { Arn: arn(id, 'cloudwatch', `alarm:${name}`) } };
  },
  'AWS::CloudWatch::CompositeAlarm': (id) => {
    const name = resourceName(id, 'AlarmName', 255);
    return { ref: name, attributes: { Arn: arn(id, 'cloudwatch', `alarm:${name}`) } };
  },
  'AWS::SNS::Topic': (id) => ({ ref: arn(id, 'sns', resourceName(id, 'TopicName', 256)) }),
  'AWS::SecretsManager::Secret': (id) => {
    const name = resourceName(id, 'Name', 256);
    const secret = arn(id, 'secretsmanager', `secret:${name}-${unique(id, 6)}`);
    return { ref: secret, attributes: { Id: secret } };
  },
  'AWS::ApiGateway::RestApi': (id) => ({
    ref: unique(id, 10),
    attributes: { RestApiId: unique(id, 10), RootResourceId: unique(id, 12).slice(2) },
  }),
  'AWS::ApiGateway::Resource': (id) => ({ ref: unique(id, 6), attributes: { ResourceId: unique(id, 6) } }),
  'AWS::ApiGateway::Method': (id) => ({ ref: id.logicalId }),
  'AWS::ApiGateway::Authorizer': (id) => ({
    ref: unique(id, 6),
    attributes: { AuthorizerId: unique(id, 6) },
  }),
  'AWS::ApiGateway::Deployment': (id) => ({
    ref: unique(id, 6),
    attributes: { DeploymentId: unique(id, 6) },
  }),
  'AWS::ApiGateway::Stage': (id) => ({ ref: String(id.property('StageName')) }),
  'AWS::ApiGateway::GatewayResponse': (id) => ({ ref: id.logicalId, attributes: { Id: id.logicalId } }),
  'AWS::CloudFront::Distribution': (id) => {
    const distributionId = `E${unique(id, 13).toUpperCase()}`;
    const { Aliases, ConnectionMode } = (id.property('DistributionConfig') ?? {}) as {
      Aliases?: string[];
      ConnectionMode?: string;
    };
    // Requests reach a multi-tenant distribution through the connection groups of its tenants only.
    if (ConnectionMode === 'tenant-only') return { ref: distributionId, attributes: { Id: distributionId } };
    const main = !Aliases?.some(isWildcard);
    const domainName = main ? id.frontDoor : `d${unique(id, 13)}.cloudfront.net`;
    return { ref: distributionId, attributes: { Id: distributionId, DomainName: domainName } };
  },
  'AWS::CloudFront::ConnectionGroup': (id) => {
    const groupId = `cg_${unique(id, 27)}`;
    const group = `arn:aws:cloudfront::${id.accountId}:connection-group/${groupId}`;
    const endpoint = `d${unique(id, 13)}.cloudfront.net`;
    return { ref: groupId, attributes: { Id: groupId, Arn: group, RoutingEndpoint: endpoint } };
  },
  'AWS::CloudFront::Function': (id) => {
    const name = resourceName(id, 'Name', 64);
    const functionArn = `arn:aws:cloudfront::${id.accountId}:function/${name}`;
    return { ref: functionArn, attributes: { FunctionARN: functionArn, Stage: 'LIVE' } };
  },
  'AWS::WAFv2::WebACL': (id) => {
    const name = physicalName(id.stackName, id.logicalId, 128);
    const acl = arn(id, 'wafv2', `global/webacl/${name}/${unique(id, 32)}`);
    return { ref: `${name}|${unique(id, 32)}|CLOUDFRONT`, attributes: { Arn: acl, Id: unique(id, 32) } };
  },
  'AWS::CertificateManager::Certificate': (id) => ({
    ref: arn(id, 'acm', `certificate/${unique(id, 32)}`),
  }),
  'AWS::CloudFront::OriginAccessControl': withId,
  'AWS::CloudFront::CachePolicy': withId,
  'AWS::CloudFront::OriginRequestPolicy': withId,
  'AWS::CloudFront::ResponseHeadersPolicy': withId,
  'AWS::Cognito::UserPool': (id) => ({
    ref: `${id.region}_${unique(id, 9)}`,
    // The front door issues the tokens itself.
    attributes: { ProviderName: id.frontDoor },
  }),
  'AWS::Cognito::UserPoolResourceServer': (id) => ({ ref: String(id.property('Identifier')) }),
  'AWS::Cognito::UserPoolClient': (id) => ({ ref: unique(id, 26) }),
  'AWS::Cognito::UserPoolDomain': (id) => ({ ref: String(id.property('Domain')) }),
  'Custom::CDKBucketDeployment': (id) => ({
    ref: unique(id, 32),
    attributes: { DestinationBucketArn: `arn:aws:s3:::${String(id.property('DestinationBucketName'))}` },
  }),
};

/** Resource types without local effect, with the reason. */
export const NO_LOCAL_EFFECT: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'reports to AWS which constructs are used',
  'AWS::Logs::LogGroup': 'log lines go to the console',
  'AWS::Logs::ResourcePolicy': 'nothing writes to log groups',
  'AWS::Logs::DeliverySource': 'the edge writes no access log: tests and operators see requests directly',
  'AWS::Logs::DeliveryDestination': 'see AWS::Logs::DeliverySource',
  'AWS::Logs::Delivery': 'see AWS::Logs::DeliverySource',
  'AWS::CloudWatch::Dashboard': 'the local cloud shows no dashboards',
  'AWS::SNS::TopicPolicy': 'only alarms publish',
  'AWS::Lambda::LayerVersion': 'used by the bucket deployment function only, which the local cloud replaces',
  'AWS::CertificateManager::Certificate': 'the front door serves plain HTTP',
  'AWS::Route53::RecordSet': 'the local cloud has no public DNS',
  'AWS::ApiGateway::Account': 'lets API Gateway write to CloudWatch Logs',
  'AWS::ApiGateway::Deployment': 'a snapshot of the API; locally the template is the snapshot',
};

/** Reports whether an alias of a distribution is a wildcard. The main distribution has none. */
export function isWildcard(alias: string): boolean {
  return alias.startsWith('*.');
}

function withId(id: Identity): ReturnValues {
  const value = unique(id, 32);
  return { ref: value, attributes: { Id: value } };
}

function resourceName(id: Identity, property: string, limit: number): string {
  const given = id.property(property);
  return typeof given === 'string' ? given : physicalName(id.stackName, id.logicalId, limit);
}

function unique(id: Identity, length: number): string {
  return stableId(`${id.stackName}/${id.logicalId}`, length);
}

function arn(id: Identity, service: string, resource: string): string {
  return `arn:aws:${service}:${id.region}:${id.accountId}:${resource}`;
}
