import * as z from 'zod';
import type { Client, Deployed } from '../../client/client.ts';
import { deployRequest, rollbackRequest } from '../contract/deploy.ts';
import { generateRequest } from '../contract/generate.ts';
import { PAGE } from '../contract/lists.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { deploymentResource, deployResponse } from '../contract/responses/deploy.ts';
import { generatedFile, generationResource } from '../contract/responses/generate.ts';
import { RESPONSES } from '../contract/responses/operations.ts';
import { filesOf, follow, generationOutcome, hasProject, summary, waitForEnd } from './generations.ts';
import { ToolError, type ToolResult, tool } from './tool.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** What visitors saw before is replaced. */
export const PUBLISHES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };

const id = z.string().describe('Id of the resource.');
const token = z.string().optional().describe('`token` of the first deploy, if that was made without a key.');
const ifMatch = z.string().optional().describe('Version that must be live; otherwise nothing changes.');

// Agents deploy with a tool of its own, which says that it replaces what visitors see, and poll instead of being notified.
const { deploy: _, webhook: __, ...generateFields } = generateRequest.shape;

export const generate = tool({
  name: 'generate',
  title: OPERATIONS.generate.title,
  description:
    'Generates a software project, such as a web page or a game, from a prompt. Returns its id, status and list of files, without contents. It waits some seconds; if the project takes longer, call get_generation. To publish the project, pass its id to deploy.',
  input: z.strictObject(generateFields),
  output: generationResource,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  call: async (args, call) => {
    const { client } = call;
    const { events } = await follow(
      (signal) => client.generate(args, { signal }),
      call,
      // Otherwise it would go on, and nobody would know its id.
      (generation) => generation.id.then((id) => client.generations.cancel(id)).catch(() => {}),
    );
    return generationOutcome(await client.generations.get(await events.id, call));
  },
});

const getGeneration = tool({
  name: 'get_generation',
  title: OPERATIONS.getGeneration.title,
  description:
    'Returns the status and the files of a generation; their contents only for the paths that are given. Waits some seconds for a generation that is running.',
  input: z.strictObject({ id, paths: z.array(z.string()).min(1).optional().describe('Files to read.') }),
  output: generationResource.extend({ contents: z.array(generatedFile).optional() }),
  annotations: READS,
  call: async ({ id, paths }, call) => {
    const generation = await waitForEnd(id, call);
    return generationOutcome(generation, paths && (await filesOf(generation, call, paths)));
  },
});

/** What `deployedOutcome` returns. */
export const deployedSchema = deployResponse.extend({
  ...deploymentResource.pick({ version: true, warning: true, siteUrl: true }).shape,
  token: z.string().optional().describe('Manages the deployment. It is shown once.'),
  created: z.boolean().describe('Whether the deployment is new.'),
});

const { files, projectId } = deployRequest.shape;
const { path, content, encoding } = files.unwrap().element.shape;
const file = z.strictObject({ path, content: content.unwrap().describe('Text, or base64.'), encoding });
const manyFiles = z.array(file).describe(files.description ?? '');

const deploy = tool({
  name: 'deploy',
  title: OPERATIONS.deploy.title,
  description:
    'Publishes files, or the project of a generation, at a URL that everyone can open. With a projectId, later deploys replace the page at this URL; otherwise each deploy gets a new one.',
  input: z
    .strictObject({ generationId: id.optional(), files: manyFiles.optional(), projectId, token, ifMatch })
    .refine(({ generationId, files }) => !generationId !== !files, 'give either generationId or files'),
  output: deployedSchema,
  annotations: PUBLISHES,
  call: async ({ generationId, files = [], projectId, ...options }, call) => {
    const generation = generationId === undefined ? undefined : await waitForEnd(generationId, call);
    if (generation && !hasProject(generation)) throw new ToolError(summary(generation));
    const request = generation ? { generationId: generation.id, projectId } : { files, projectId };
    return deployResult(await call.client.deploy(request, { ...options, signal: call.signal }));
  },
});

/** Returns a tool that does as an operation of the API. */
function operation<Shape extends z.ZodRawShape>(
  name: string,
  of: OperationName,
  shape: Shape,
  perform: (client: Client, args: z.output<z.ZodObject<Shape>> & { signal: AbortSignal }) => Promise<object>,
) {
  const { title, summary, method } = OPERATIONS[of];
  return tool({
    name,
    title,
    description: `${summary}.`,
    input: z.strictObject(shape),
    output: RESPONSES[of].body as z.ZodObject,
    annotations: method === 'GET' ? READS : { ...PUBLISHES, idempotentHint: true },
    call: async (args, { client, signal }) => ({ data: await perform(client, { ...args, signal } as never) }),
  });
}

const page = {
  limit: z.int().min(1).max(PAGE.most).default(PAGE.standard).describe('Maximum number of items.'),
  cursor: z.string().optional().describe('`nextCursor` of the previous page.'),
};
const change = { id, ...rollbackRequest.shape, token, ifMatch };

/** The tools of every server. */
export const TOOLS = [
  generate,
  getGeneration,
  deploy,
  operation('get_deployment', 'getDeployment', { id, token }, (api, args) =>
    api.deployments.get(args.id, args),
  ),
  operation('rollback', 'rollbackDeployment', change, (api, args) => api.deployments.rollback(args.id, args)),
  operation('list_deployments', 'listDeployments', page, (api, args) => api.deployments.list(args)),
  operation('list_generations', 'listGenerations', page, (api, args) => api.generations.list(args)),
];

/** Returns the result of a tool that deploys. */
function deployResult(deployed: Deployed): ToolResult {
  const { id, url, version, token, warning } = deployed;
  const kept = token && `Keep this token, which manages the deployment: ${token}`;
  const text = [`Published at ${url} (deployment ${id}, version ${version})`, warning, kept];
  return { data: deployed, text: [text.filter(Boolean).join('. ')] };
}
