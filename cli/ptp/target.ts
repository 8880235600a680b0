import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../terminal/program.ts';
import { type Context, noKey } from './context.ts';
import { findDeployment, findProject, type LinkedDeployment } from './local-files.ts';

/** A deployment that a command works on. */
export interface Target {
  readonly id: string;
  /** The folder whose `.ptp.json` names the service. */
  readonly folder: string;
  /** The `X-Deployment-Token` of a deployment without an owner. */
  readonly token?: string;
}

const ID = /^[0-9a-z]{12}$/;

/**
 * Returns the deployment that an argument names: an id, the URL of one of its pages, or a folder that was deployed; by
 * default the current folder.
 * @param how how the command names one
 * @throws UsageError if it names none
 */
export function targetOf(argument: string | undefined, context: Context, how = 'name a deployment'): Target {
  const id = argument === undefined ? undefined : idIn(argument);
  if (id !== undefined) return { ...target(projectHere(context.cwd, context, id), context.cwd), id };
  const folder = resolve(context.cwd, argument ?? '.');
  if (argument !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`"${argument}" is neither the id of a deployment, nor a URL, nor a folder`);
  const project = projectHere(folder, context);
  if (project) return { ...target(project, folder), id: project.id };
  const url = context.baseUrl(folder);
  throw new UsageError(`Nothing was deployed from ${folder} to ${url}: ${how}, as ptp list shows it`);
}

/** How commands name a deployment. */
export const TARGET = ['[id]', 'id, URL or folder; by default the current folder'] as const;

/** Returns the deployment that an argument names, with a client and the options of its calls. @throws Error without a credential */
export async function ownTarget(argument: string | undefined, context: Context, how?: string) {
  const target = targetOf(argument, context, how);
  requireCredential(target, context);
  const client = await context.client({ folder: target.folder });
  return { target, client, options: { token: target.token, signal: context.signal } };
}

/** @throws Error unless there is a credential for the deployment */
export function requireCredential({ token, folder }: Target, context: Context): void {
  if (token === undefined && context.key(folder) === undefined) throw noKey(context.baseUrl(folder));
}

/** Performs a call about a deployment, and explains to those who have no right to it what they lack. */
export async function asOwner<T>({ id, token }: Target, perform: () => Promise<T>): Promise<T> {
  const advice = 'use the key that deployed it, or the folder that it was deployed from without a key';
  return perform().catch((error: Error & { status?: number }) => {
    if (error.status === 404) throw new Error(`There is no deployment ${id}`);
    if (token !== undefined || (error.status !== 401 && error.status !== 403)) throw error;
    throw Object.assign(new Error(`Deployment ${id} is not yours: ${advice}`), { status: error.status });
  });
}

/** Returns what `.ptp.json` has about the last deployment at the base URL in use, or about the one with that id. */
function projectHere(folder: string, context: Context, id?: string): LinkedDeployment | undefined {
  const url = context.baseUrl(folder);
  return id === undefined ? findProject(folder, url) : findDeployment(folder, url, id);
}

function target(project: LinkedDeployment | undefined, folder: string): Omit<Target, 'id'> {
  return { folder, ...(project?.token === undefined ? {} : { token: project.token }) };
}

function idIn(argument: string): string | undefined {
  if (ID.test(argument)) return argument;
  if (!/^https?:/.test(argument) || !URL.canParse(argument)) return undefined;
  const { hostname, pathname } = new URL(argument);
  const [, id = hostname.split('.')[0]] = /^\/d\/([^/.]+)/.exec(pathname) ?? [];
  return id !== undefined && ID.test(id) ? id : undefined;
}
