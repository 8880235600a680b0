/** What an operator or a user loses with a resource, by its type. Resources of other types can be made again from the template. */
const LOSSES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'its items',
  'AWS::S3::Bucket': 'its objects',
  'AWS::SecretsManager::Secret': 'its value, and what derives from it',
  'AWS::Cognito::UserPool': 'its clients: their access tokens end',
  'AWS::Cognito::UserPoolClient': 'its secret: programs need another one',
  'AWS::Cognito::UserPoolDomain': 'the URL of tokens',
  'AWS::CloudFront::Distribution': 'its address, which users and DNS records have',
  'AWS::CloudFront::ConnectionGroup': 'the address that the DNS records of domains lead to',
  'AWS::ApiGateway::RestApi': 'its address',
  'AWS::StepFunctions::StateMachine': 'its running executions',
  'AWS::SNS::Topic': 'its subscriptions: receivers of mail must confirm again',
  'AWS::Logs::LogGroup': 'the logs of a month',
};

/** Returns what is lost with a resource of a type; undefined if nothing is. */
export function lossOf(type: string): string | undefined {
  return LOSSES[type];
}
