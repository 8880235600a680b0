import { CloudFormationClient, SetStackPolicyCommand } from '@aws-sdk/client-cloudformation';
import { readConfig } from '../lib/config.ts';
import { regionOf, STACK_POLICY, stackNameOf } from './stack.ts';

// Sets the stack policy after each deploy, so that a policy that was replaced for one update comes back.
try {
  const StackName = stackNameOf(readConfig(process.env.CONFIG_FILE ?? 'config/default.json'));
  const region = regionOf(process.env);
  const client = new CloudFormationClient(region === undefined ? {} : { region });
  await client.send(new SetStackPolicyCommand({ StackName, StackPolicyBody: JSON.stringify(STACK_POLICY) }));
  console.log(`${StackName} is protected: no update can replace or delete what keeps data`);
} catch (error) {
  console.error(`The stack policy was not set, so nothing protects data: ${(error as Error).message}`);
  process.exitCode = 1;
}
