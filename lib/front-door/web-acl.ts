import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { type SecretValue, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { RATE_LIMIT_DOCS } from '../../lambda/contract/limits.ts';
import { OWN_CALL_HEADER } from '../../lambda/sites/edge.ts';
import { WEB_ACL_RATES } from '../config-sections.ts';

type Rule = CfnWebACL.RuleProperty;
type Statement = CfnWebACL.StatementProperty;

const { windowSeconds: WINDOW_SECONDS, ...MOST } = WEB_ACL_RATES;

const LIMITED_BODY = 'limited';

/** Requests that API Gateway gets. */
const TO_API: Statement = {
  orStatement: {
    statements: [
      pathMatches('STARTS_WITH', '/api/'),
      pathMatches('EXACTLY', '/mcp'),
      pathMatches('EXACTLY', '/mcp/'),
      pathMatches('EXACTLY', '/report'),
    ],
  },
};

/**
 * Checks that AWS WAF can create a web ACL for CloudFront in the region of a deploy: in us-east-1 only.
 * @param region undefined if it is not known
 * @throws Error that says what to do
 */
export function requireWebAclRegion(waf: boolean, region: string | undefined): void {
  if (!waf || region === 'us-east-1') return;
  throw new Error(
    `"waf": true needs a stack in us-east-1, as AWS WAF does for CloudFront; the region is ${region ?? 'not known'}: ` +
      'deploy there (AWS_REGION=us-east-1), or create a web ACL there and set "webAclArn"',
  );
}

interface WebAclProps {
  /** Whether the distribution has the API, too; otherwise all of it is pages. */
  readonly hasApi: boolean;
  /** Exempts the service's own calls, which all come from a few addresses. */
  readonly ownCallSecret: SecretValue;
}

/**
 * The web ACL of one distribution, which CloudFront's flat-rate plans do not allow others to share: AWS's list of addresses with a bad
 * reputation, and rates for each address. It has no rules for bodies: AWS's common rules block those over 8 KB, and so every deploy
 * and every generation with files.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { hasApi, ownCallSecret }: WebAclProps) {
    super(scope, id);
    const rates = hasApi
      ? [
          rateRule('Api', 2, MOST.api, TO_API),
          rateRule('Pages', 3, MOST.pages, { notStatement: { statement: TO_API } }),
        ]
      : [rateRule('Pages', 2, MOST.pages)];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      description: `${Stack.of(this).stackName}: reputation and rates of addresses`,
      defaultAction: { allow: {} },
      visibilityConfig: visibility('WebAcl'),
      customResponseBodies: {
        [LIMITED_BODY]: { contentType: 'APPLICATION_JSON', content: JSON.stringify(limitedBody()) },
      },
      rules: [ownCalls(ownCallSecret), reputation(), ...rates],
    });
    this.arn = acl.attrArn;
  }
}

function ownCalls(secret: SecretValue): Rule {
  return {
    name: 'OwnCalls',
    priority: 0,
    action: { allow: {} },
    statement: {
      byteMatchStatement: {
        fieldToMatch: { singleHeader: { Name: OWN_CALL_HEADER } },
        positionalConstraint: 'EXACTLY',
        searchString: secret.unsafeUnwrap(),
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
    visibilityConfig: visibility('OwnCalls'),
  };
}

function reputation(): Rule {
  return {
    name: 'Reputation',
    priority: 1,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
    },
    visibilityConfig: visibility('Reputation'),
  };
}

function rateRule(name: string, priority: number, limit: number, scopeDownStatement?: Statement): Rule {
  return {
    name,
    priority,
    // Like a rate limit of the API, which programs understand.
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: LIMITED_BODY,
          responseHeaders: [
            { name: 'Retry-After', value: String(WINDOW_SECONDS) },
            { name: 'Access-Control-Allow-Origin', value: '*' },
            { name: 'Access-Control-Expose-Headers', value: '*' },
          ],
        },
      },
    },
    statement: {
      rateBasedStatement: {
        limit,
        evaluationWindowSec: WINDOW_SECONDS,
        aggregateKeyType: 'IP',
        ...(scopeDownStatement && { scopeDownStatement }),
      },
    },
    visibilityConfig: visibility(name),
  };
}

function limitedBody() {
  return {
    error: `Too many requests from this address. Try again in ${WINDOW_SECONDS} s`,
    retryAfter: WINDOW_SECONDS,
    docs: RATE_LIMIT_DOCS,
  };
}

function pathMatches(positionalConstraint: 'EXACTLY' | 'STARTS_WITH', searchString: string): Statement {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint,
      searchString,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
