/** What operators or users lose with a resource, by its type. Resources of other types can be recreated from the template. */
const LOSSES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'its items',
  'AWS::S3::Bucket': 'its objects',
  'AWS::SecretsManager::Secret': 'its value, and everything derived from it',
  'AWS::Cognito::UserPool': 'its clients: their access tokens end',
  'AWS::Cognito::UserPoolClient': 'its secret: programs need another one',
  'AWS::Cognito::UserPoolDomain': 'the URL of tokens',
  'AWS::CloudFront::Distribution': 'its address, which users and DNS records use',
  'AWS::CloudFront::ConnectionGroup': 'the address that the DNS records of domains point to',
  'AWS::ApiGateway::RestApi': 'its address',
  'AWS::StepFunctions::StateMachine': 'its running executions',
  'AWS::SNS::Topic': 'its subscriptions: recipients of mail must confirm again',
  'AWS::Logs::LogGroup': 'the logs of a month',
};

/** Returns what is lost with a resource of a type; undefined for a stateless one. */
export function lossOf(type: string): string | undefined {
  return LOSSES[type];
}
