import * as z from 'zod';
import type { BuildResponse, Deployed, Look } from '../../client/client.ts';
import { deployRequest } from '../contract/deploy.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { buildResponse } from '../contract/responses/builds.ts';
import { deploymentResource, deployResponse } from '../contract/responses/deploy.ts';
import { look } from '../contract/responses/looks.ts';
import { id, ifMatch, PUBLISHES, READS, token } from './fields.ts';
import { hasProject, summary, waitForEnd } from './generations.ts';
import { lookSentence, problemList, waitForLook } from './looks.ts';
import { picturesOf, readPicture } from './pictures.ts';
import { type Call, ToolError, type ToolResult, tool } from './tool.ts';

/** What `deployedOutcome` returns. */
export const deployedSchema = deployResponse.extend({
  ...deploymentResource.pick({ version: true, warning: true, siteUrl: true }).shape,
  token: z.string().optional().describe('Manages the deployment. It is shown once.'),
  created: z.boolean().describe('Whether the deployment is new.'),
  look: look.optional(),
});

const { files, projectId, build: built, env } = deployRequest.shape;
const { path, content, encoding } = files.unwrap().element.shape;
const file = z.strictObject({ path, content: content.unwrap().describe('Text, or base64.'), encoding });
const project = {
  generationId: id.optional(),
  files: z
    .array(file)
    .optional()
    .describe(files.description ?? ''),
};

/** How long a deploy waits for what a browser sees of its page. */
export const LOOK_MS = 12_000;

type GivenProject = z.output<z.ZodObject<typeof project>>;
const ONE_PROJECT = 'give either generationId or files';
const hasOneProject = ({ generationId, files }: GivenProject) => !generationId !== !files;

/** For tools that take source. */
const BUILDS =
  'Source of a Vite project (React, Vue, Svelte, Solid, Preact or Lit; TypeScript, JSX, CSS, Tailwind, npm packages) is built first, without running its scripts: send index.html, package.json and src, not node_modules. If it cannot be built, nothing changes and the error lists up to 20 problems as path:line:column with the line: mend these files and call again.';

export const deploy = tool({
  name: 'deploy',
  title: OPERATIONS.deploy.title,
  description: `Publishes files, or the project of a generation, at a URL that everyone can open. With a projectId, later deploys replace the page at this URL; otherwise each deploy gets a new one. Returns what a browser sees of the page, if it takes only some seconds. ${BUILDS}`,
  input: z
    .strictObject({ ...project, projectId, build: built, env, token, ifMatch })
    .refine(hasOneProject, ONE_PROJECT),
  output: deployedSchema,
  annotations: PUBLISHES,
  call: async ({ generationId, files, projectId, build, env, ...options }, call) => {
    const begin = performance.now();
    const { client, signal, holdMs } = call;
    const sent = await projectOf({ generationId, files }, call);
    const request = { ...sent, projectId, build, env };
    const deployed = await client.deploy(request, { ...options, signal });
    const { id, version, token = options.token } = deployed;
    const waitMs = Math.min(LOOK_MS, holdMs - (performance.now() - begin));
    // Only the holder of its token may read a deployment without an owner.
    const seen = await waitForLook(client, id, { token, version, waitMs, signal }).catch(() => undefined);
    return deployResult(deployed, seen, signal);
  },
});

export const build = tool({
  name: 'build',
  title: OPERATIONS.build.title,
  description: `Builds the source of a project, or that of a generation, as deploy does, and publishes nothing. Call it to check source before a deploy. Returns the paths and sizes of the built files, the packages with their versions, and warnings; without contents. ${BUILDS}`,
  input: z.strictObject({ ...project, env }).refine(hasOneProject, ONE_PROJECT),
  output: buildResponse.omit({ files: true }).extend({
    files: z.array(z.strictObject({ path: z.string(), bytes: z.int() })).describe('The built files.'),
  }),
  annotations: READS,
  call: async ({ env, ...given }, call) => {
    const { files, ...rest } = await call.client.build({ ...(await projectOf(given, call)), env }, call);
    const sizes = files.map((file) => ({ path: file.path, bytes: sizeOf(file) }));
    const text = `It builds: ${files.length} files, ${rest.bytes} bytes. To publish it, call deploy with the same project`;
    return { data: { ...rest, files: sizes }, text: [[text, ...rest.warnings].join('. ')] };
  },
});

/** Returns what a request names: a generation that has a project, or files. */
async function projectOf({ generationId, files = [] }: GivenProject, call: Call) {
  if (generationId === undefined) return { files };
  const generation = await waitForEnd(generationId, call);
  if (!hasProject(generation)) throw new ToolError(summary(generation));
  return { generationId: generation.id };
}

function sizeOf({ content, encoding }: BuildResponse['files'][number]): number {
  return Buffer.byteLength(content, encoding ?? 'utf8');
}

/** Returns the result of a tool that deploys. @param seen what a browser saw of the page */
async function deployResult(
  deployed: Deployed,
  seen: Look | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { id, url, version, token, warning } = deployed;
  const kept = token && `Keep this token, which manages the deployment: ${token}`;
  const text = [`Published at ${url} (deployment ${id}, version ${version})`, warning, kept];
  const saw = lookSentence(seen);
  const images = await picturesOf(seen, (width) => readPicture(seen, width, signal), signal);
  return {
    data: { ...deployed, ...(seen && { look: seen }) },
    text: [[text.filter(Boolean).join('. '), saw].filter(Boolean).join('. '), ...problemList(seen)],
    images,
  };
}
