import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FrontDoor } from '../front-door/front-door.ts';

/**
 * The fields of every record. Excluded on purpose: the query, which contains the secrets of links to private pages and the signatures
 * of presigned URLs; the referrer, which can contain such queries; cookies; and the viewer's address and user agent, which the
 * service does not store.
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

/** Logged for the distributions of pages only. */
const PATH = 'cs-uri-stem';

/** The cache behavior, logged instead of the path: paths of the API contain the ids of anonymous generations, which grant access. */
const BEHAVIOR = 'cache-behavior-path-pattern';

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
    let last: CfnDelivery | undefined;
    const deliver = (name: string, { distributionArn }: Distribution, path: string) => {
      const source = new CfnDeliverySource(this, `${name}Source`, {
        name: `${stackName}-${name}`,
        logType: 'ACCESS_LOGS',
        resourceArn: distributionArn,
      });
      const delivery = new CfnDelivery(this, `${name}Delivery`, {
        deliverySourceName: source.name,
        deliveryDestinationArn: destination.attrArn,
        recordFields: [...FIELDS, path],
      });
      delivery.node.addDependency(source);
      // CloudWatch Logs rejects a delivery to a destination while another one is created for it.
      if (last) delivery.node.addDependency(last);
      last = delivery;
    };
    deliver('Main', distribution, BEHAVIOR);
    if (pagesDistribution !== distribution) deliver('Sites', pagesDistribution, PATH);
    if (customDomains) deliver('Tenants', customDomains.distribution, PATH);
  }
}

/** Lets log delivery write to the log group. Without this policy, creating a delivery would change a policy of the whole account. */
function deliveryPolicy(scope: Construct, logGroup: LogGroup): ResourcePolicy {
  const { account, region, partition } = Stack.of(scope);
  const statement = new PolicyStatement({
    principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    // From the name: the ARN of a log group ends with `:*`.
    resources: [`arn:${partition}:logs:${region}:${account}:log-group:${logGroup.logGroupName}:log-stream:*`],
    conditions: {
      StringEquals: { 'aws:SourceAccount': account },
      ArnLike: { 'aws:SourceArn': `arn:${partition}:logs:${region}:${account}:*` },
    },
  });
  return new ResourcePolicy(scope, 'Policy', { policyStatements: [statement] });
}
