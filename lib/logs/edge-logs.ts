import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  CfnDelivery,
  CfnDeliveryDestination,
  CfnDeliverySource,
  LogGroup,
  ResourcePolicy,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FrontDoor } from '../front-door/front-door.ts';

/**
 * The fields of every record. Left out on purpose: the query, which has the links of private pages and the signatures of presigned
 * URLs; the referrer, which has queries of its own; cookies; and the viewer's address and user agent, of which the service
 * stores nothing.
 */
const FIELDS = [
  'date',
  'time',
  'x-edge-request-id',
  'x-edge-location',
  'x-host-header',
  'cs-method',
  'sc-status',
  'sc-bytes',
  'cs-bytes',
  'time-taken',
  'time-to-first-byte',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
];

/** Distributions of pages only. */
const PATH = 'cs-uri-stem';

/** The behavior that a path matches: paths of the API have the ids of anonymous generations, which grant access. */
const BEHAVIOR = 'cache-behavior-path-pattern';

/** The distributions of a front door. */
type LoggedFrontDoor = Pick<FrontDoor, 'distribution' | 'pagesDistribution' | 'customDomains'>;

/**
 * CloudFront's standard logging (v2) to CloudWatch Logs. Its resources exist in us-east-1 only.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html
 */
export class EdgeLogs extends Construct {
  constructor(scope: Construct, id: string, frontDoor: LoggedFrontDoor) {
    super(scope, id);
    const { distribution, pagesDistribution, customDomains } = frontDoor;
    const { stackName } = Stack.of(this);
    const logGroup = new LogGroup(this, 'Requests', { removalPolicy: RemovalPolicy.DESTROY });
    const policy = deliveryPolicy(this, logGroup);
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name: `${stackName}-edge`,
      destinationResourceArn: logGroup.logGroupArn,
      outputFormat: 'json',
    });
    destination.node.addDependency(policy);
    const deliver = (name: string, { distributionArn }: Distribution, path: string) => {
      const source = new CfnDeliverySource(this, `${name}Source`, {
        name: `${stackName}-${name}`,
        logType: 'ACCESS_LOGS',
        resourceArn: distributionArn,
      });
      new CfnDelivery(this, `${name}Delivery`, {
        deliverySourceName: source.name,
        deliveryDestinationArn: destination.attrArn,
        recordFields: [...FIELDS, path],
      }).node.addDependency(source);
    };
    deliver('Main', distribution, BEHAVIOR);
    if (pagesDistribution !== distribution) deliver('Sites', pagesDistribution, PATH);
    if (customDomains) deliver('Tenants', customDomains.distribution, PATH);
  }
}

/** Lets CloudWatch's delivery of logs write to the log group. Otherwise, the creation of a delivery would change a policy of the account. */
function deliveryPolicy(scope: Construct, logGroup: LogGroup): ResourcePolicy {
  const { account, region, partition } = Stack.of(scope);
  const statement = new PolicyStatement({
    principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [`${logGroup.logGroupArn.replace(/:\*$/, '')}:log-stream:*`],
    conditions: {
      StringEquals: { 'aws:SourceAccount': account },
      ArnLike: { 'aws:SourceArn': `arn:${partition}:logs:${region}:${account}:*` },
    },
  });
  return new ResourcePolicy(scope, 'Policy', { policyStatements: [statement] });
}
