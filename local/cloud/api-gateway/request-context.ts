/** What API Gateway knows of a request besides what was sent. */
export interface RequestContext {
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | undefined;
  readonly requestId: string;
  /** `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<HTTP method><resource path>` */
  readonly methodArn: string;
  /** What the method's authorizer says of the caller. */
  readonly authorizer?: Readonly<Record<string, string>>;
}
