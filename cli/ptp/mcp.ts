import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { ApiError } from '../../client/client.ts';
import { deployedSchema, LOOK_MS } from '../../lambda/mcp/deploy-tools.ts';
import { picturesOf, type Width } from '../../lambda/mcp/looks.ts';
import { mcpServer } from '../../lambda/mcp/server.ts';
import { PUBLISHES, ToolError, tool } from '../../lambda/mcp/tool.ts';
import { TOOLS } from '../../lambda/mcp/tools.ts';
import type { Context } from './context.ts';
import { deployFolder, resultOf } from './deploy.ts';

/** Clients give up after a minute, unless they are configured. */
const TIMES = { holdMs: 45_000, limitMs: 58_000 };

/** Serves agents until stdin ends. stdout belongs to the protocol. @param dir agents may deploy folders in it */
export async function serve(dir: string, context: Context): Promise<void> {
  const root = realpathSync(resolve(context.cwd, dir));
  const tools = [...TOOLS, deployFolderTool(root, context)];
  const access = {
    baseUrl: context.baseUrl(root),
    key: context.key(root),
    userAgent: 'ptp-mcp',
    ...TIMES,
    credentialAdvice: 'Run "ptp login", and start this server again',
  };
  const ended = once(context.stdin, 'close', { signal: context.signal });
  const server = serveStdio(({ era }) => mcpServer(tools, era, access));
  await ended.finally(() => server.close());
}

/** Returns the tool that deploys as `ptp deploy` does: files do not pass through the model, and tokens stay here. */
function deployFolderTool(root: string, context: Context) {
  const flag = (meaning: string) => z.boolean().optional().describe(meaning);
  return tool({
    name: 'deploy_folder',
    title: 'Deploy a folder',
    description: `Publishes a folder of this machine, in ${root}, at a URL that everyone can open. Takes the dist, build, out or public in it; without one of these, source of a Vite project is built by the service, with the VITE_* variables of its .env files. Leaves out what .gitignore and .ptpignore name, hidden files and secrets. Later deploys of the folder replace the page. If it expires (expiresAt), "ptp claim" in the folder keeps it, with an API key. Returns what a browser sees of it, if it takes only some seconds. If the source cannot be built, nothing changes and the error lists the problems as path:line:column.`,
    input: z.strictObject({
      path: z.string().default('.').describe(`Path of the folder, absolute or in ${root}.`),
      asIs: flag('Publish the folder itself as it is, without a build (--as-is).'),
      new: flag('Make a new deployment at a new URL (--new).'),
      force: flag('Deploy over what someone else deployed meanwhile (--force).'),
    }),
    output: deployedSchema.omit({ token: true, claimUrl: true }).extend({ folder: z.string(), changed: z.int() }),
    annotations: PUBLISHES,
    call: async ({ path, ...options }, { signal }) => {
      const inside = (folder: string) => {
        const real = existsSync(folder) ? realpathSync(folder) : folder;
        if (real === root || real.startsWith(root + sep)) return real;
        throw new ToolError(`${path} is not in ${root}: start "ptp mcp" with a folder that it is in`);
      };
      try {
        const folder = inside(resolve(root, path));
        const unattended = { ...context, isTerminal: false, isLive: false, signal };
        const { published, manifest, publisher } = await deployFolder(folder, options, unattended);
        const look = await publisher.look(published, LOOK_MS, unattended).catch(() => undefined);
        const data = { ...resultOf(published, manifest), ...(look && { look }) };
        const read = (width: Width) => publisher.picture(published, width, unattended);
        return { data, text: [JSON.stringify(data)], images: await picturesOf(look, read, signal) };
      } catch (error) {
        throw error instanceof ApiError ? error : new ToolError((error as Error).message, { cause: error });
      }
    },
  });
}
