import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { apiPorts } from '../access/api-ports.ts';
import { PROVIDER_NAMES } from '../contract/generate.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { Cooldowns } from './cooldowns.ts';
import { JobStore } from './jobs.ts';
import type { FileContents, ProjectFiles } from './project-files.ts';
import { generationRoutes, UNREACHABLE } from './routes.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.stateMachineArn]: z.string(),
  [ENV.providerNames]: json(z.array(z.enum(PROVIDER_NAMES))),
});
const stateMachineArn = env.STATE_MACHINE_ARN;
const ports = apiPorts();
const db = documentClient();
const stepFunctions = new SFNClient(CLIENT);

/** An execution of that name that is over was the job's: there is nothing more to start or to stop. */
async function unlessOver(call: Promise<unknown>): Promise<void> {
  await call.catch((error: Error) => {
    if (error.name !== 'ExecutionAlreadyExists' && error.name !== 'ExecutionDoesNotExist') throw error;
  });
}

/** The S3 client is a sixth of a cold start and not needed before a job is over: it loads while somebody waits. */
let loading: Promise<ProjectFiles> | undefined;
const loadFiles = () => {
  loading ??= import('./project-files.ts').then(({ projectFilesIn }) =>
    projectFilesIn(env.GENERATIONS_BUCKET),
  );
  return loading;
};
const files: FileContents = {
  content: async (file) => (await loadFiles()).content(file),
  contents: async (stored) => (await loadFiles()).contents(stored),
};

/** Starts generations and waits for them. */
export const handler = apiHandler(
  generationRoutes({
    ...ports,
    jobs: new JobStore(db, env.GENERATIONS_TABLE, ports.usage),
    cooldowns: new Cooldowns(db, env.GENERATIONS_TABLE, ports.clock),
    files,
    configured: env.PROVIDER_NAMES,
    secret: ports.originSecret,
    startExecution: async (name, input) => {
      const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
      await unlessOver(stepFunctions.send(start));
      void loadFiles();
    },
    stopExecution: (name) => {
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      return unlessOver(
        stepFunctions.send(new StopExecutionCommand({ executionArn, cause: 'Canceled by the caller' })),
      );
    },
  }),
  ports,
  { unreachable: UNREACHABLE },
);
