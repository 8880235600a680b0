import type { App, IPolicyValidationContext, PolicyValidationPluginReport, PolicyViolation } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type Finding, reasonFor } from './reasons.ts';

/** cdk-nag's rules "AWS Solutions", without accepted findings. Any other finding aborts the synthesis. */
export class SecurityChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const { violations, ...report } = super.validate(context);
    const left = violations.map(withoutExplained).filter(({ violatingResources }) => violatingResources.length > 0);
    return { ...report, violations: left, success: left.length === 0 };
  }
}

/** Returns all findings of a synthesized app, including accepted ones. */
export function findingsOf(app: App): Finding[] {
  return new AwsSolutionsChecks(app).validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({
      rule: ruleName,
      at: constructOf(constructPath),
    })),
  );
}

function withoutExplained(violation: PolicyViolation): PolicyViolation {
  const violatingResources = violation.violatingResources.filter(
    ({ constructPath = '' }) => reasonFor({ rule: violation.ruleName, at: constructOf(constructPath) }) === undefined,
  );
  return { ...violation, violatingResources };
}

/** Returns the path of a construct without its stack. */
const constructOf = (path: string) => path.replace(/^[^/]+\//, '').replace(/\/Resource$/, '');
