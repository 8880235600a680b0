import type { App, IPolicyValidationContext, PolicyValidationPluginReport } from 'aws-cdk-lib/core';

/**
 * The part of cdk-nag that is used. Its own types lead to those of all of aws-cdk-lib, a million lines, which the type check
 * would parse.
 */
export class AwsSolutionsChecks {
  readonly name: string;
  constructor(app: App);
  validate(context: IPolicyValidationContext): PolicyValidationPluginReport;
  validateScope(app: App): PolicyValidationPluginReport;
}
