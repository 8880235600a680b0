import * as z from 'zod';
import type { BuildResponse, Deployed, Look } from '../../client/client.ts';
import { deployRequest } from '../contract/deploy.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { buildResponse } from '../contract/responses/builds.ts';
import { deploymentResource, deployResponse, lifeFields } from '../contract/responses/deploy.ts';
import { look } from '../contract/responses/looks.ts';
import { hasProject, summary, waitForEnd } from './generations.ts';
import { lookSentence, picturesOf, problemList, type Width, waitForLook } from './looks.ts';
import { type Call, ifMatch, PUBLISHES, READS, ToolError, type ToolResult, token, tool } from './tool.ts';

/** The structured result of the tool `deploy`. */
export const deployedSchema = deployResponse.extend({
  ...deploymentResource.pick({ version: true, warning: true, siteUrl: true }).shape,
  token: z.string().optional().describe('Manages the deployment. It is shown once.'),
  expiresAt: lifeFields.expiresAt,
  claimUrl: z.string().optional().describe('Where a key and `token` claim the deployment, as `claim` does.'),
  created: z.boolean().describe('Whether the deployment is new.'),
  look: look.optional(),
});

const { files, projectId, build: built, env, webhook: _, generationId: __, ...settings } = deployRequest.shape;
const { path, content, encoding } = files.unwrap().element.shape;
const file = z.strictObject({ path, content: content.unwrap().describe('Text, or base64.'), encoding });
const project = {
  generationId: z.string().optional().describe('Id of a generation.'),
  files: z
    .array(file)
    .optional()
    .describe(files.description ?? ''),
};

/** How long a deploy waits for what a browser sees of its page. */
export const LOOK_MS = 12_000;

type GivenProject = z.output<z.ZodObject<typeof project>>;
const ONE_PROJECT = 'Send either generationId or files';
const hasOneProject = ({ generationId, files }: GivenProject) => !generationId !== !files;

/** For tools that take source. */
const BUILDS =
  'Source of a Vite project (React, Vue, Svelte, Solid, Preact or Lit; TypeScript, JSX, CSS, Tailwind, npm packages) is built first, without running its scripts: send index.html, package.json and src, not node_modules. If it cannot be built, nothing changes and the error lists up to 20 problems as path:line:column with the line: mend these files and call again.';

export const deploy = tool({
  name: 'deploy',
  title: OPERATIONS.deploy.title,
  description: `Publishes files, or the project of a generation, at a URL that everyone can open, unless access says otherwise. With a projectId, later deploys replace the page at this URL; otherwise each deploy gets a new one. Without an API key, the page expires: tell the user when (expiresAt), and that claim keeps it. Returns what a browser sees of the page, if it takes only some seconds. ${BUILDS}`,
  input: z
    .strictObject({ ...project, projectId, build: built, env, ...settings, token, ifMatch })
    .refine(hasOneProject, ONE_PROJECT),
  output: deployedSchema,
  annotations: PUBLISHES,
  call: async ({ generationId, files, token: given, ifMatch, ...rest }, call) => {
    const begin = performance.now();
    const { client, signal, holdMs } = call;
    const sent = await projectOf({ generationId, files }, call);
    const deployed = await client.deploy({ ...sent, ...rest }, { token: given, ifMatch, signal });
    const { id, version, token = given } = deployed;
    const waitMs = Math.min(LOOK_MS, holdMs - (performance.now() - begin));
    // Only the holder of its token may read a deployment without an owner.
    const seen = await waitForLook(client, id, { token, version, waitMs, signal }).catch(() => undefined);
    const read = (width: Width) => client.deployments.screenshot(id, { width, version, token, signal });
    return deployResult(deployed, seen, await picturesOf(seen, read, signal));
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

/** Returns the result of a tool that deploys. @param seen what a browser saw of the page, with its pictures */
function deployResult(deployed: Deployed, seen: Look | undefined, images: Uint8Array[]): ToolResult {
  const { id, url, version, token, warning } = deployed;
  const kept = token && `Keep this token, which manages the deployment: ${token}`;
  const head = `Published at ${url} (deployment ${id}, version ${version})`;
  const text = [head, warning, expirySentence(deployed), linkSentence(deployed), kept];
  const saw = lookSentence(seen);
  return {
    data: { ...deployed, ...(seen && { look: seen }) },
    text: [[text.filter(Boolean).join('. '), saw].filter(Boolean).join('. '), ...problemList(seen)],
    images,
  };
}

const time = (at: number) => new Date(at).toISOString().replace(/\.\d+/, '');

function expirySentence({ expiresAt, claimUrl }: Deployed): string | undefined {
  if (expiresAt === undefined) return undefined;
  const advice = claimUrl === undefined ? '' : '. To keep it, call claim with an API key and the token';
  return `It expires at ${time(expiresAt)}${advice}`;
}

function linkSentence({ link }: Deployed): string | undefined {
  return link && `Until ${time(link.expiresAt)}, this link opens it, and nothing else does: ${link.url}`;
}
