/** The data that API Gateway adds to a request. */
export interface RequestContext {
  readonly accountId: string;
  readonly apiId: string;
  readonly domainName: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | undefined;
  readonly requestId: string;
  /** `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<HTTP method><resource path>` */
  readonly methodArn: string;
  /** The context from the method's authorizer. */
  readonly authorizer?: Readonly<Record<string, string>>;
}
