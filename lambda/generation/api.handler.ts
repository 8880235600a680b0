import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { apiPorts } from '../access/api-ports.ts';
import { PROVIDER_NAMES } from '../contract/generate.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { JobStore } from './jobs.ts';
import { ProjectStore } from './projects.ts';
import { generationRoutes } from './routes.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.stateMachineArn]: z.string(),
  [ENV.providerNames]: json(z.array(z.enum(PROVIDER_NAMES))),
});
const ports = apiPorts();
const stepFunctions = new SFNClient(CLIENT);

/** Starts generations and waits for them; answers over a response stream, so a wait may outlast 29 s. */
export const handler = apiHandler(
  generationRoutes({
    ...ports,
    jobs: new JobStore(ports.db, env.GENERATIONS_TABLE),
    projects: new ProjectStore(new S3Client(CLIENT), env.GENERATIONS_BUCKET),
    configured: env.PROVIDER_NAMES,
    startExecution: async (name, input) => {
      const stateMachineArn = env.STATE_MACHINE_ARN;
      await stepFunctions.send(
        new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }),
      );
    },
  }),
  ports,
  { unreachable: 'unavailable', streaming: true },
);
