import type { DeploymentResource, SettingsRequest } from '../../client/client.ts';
import { askSecret, readAll } from '../../terminal/ask.ts';
import { UsageError } from '../../terminal/program.ts';
import { count, durationMs, timestamp } from '../../terminal/text.ts';
import type { Context } from './context.ts';

export type AccessKind = NonNullable<SettingsRequest['access']>;

/** All of the contract, whose module would load the library of its schemas with every command. */
const KINDS: Record<AccessKind, 0> = { public: 0, password: 0, link: 0 };
export const ACCESS = Object.keys(KINDS) as AccessKind[];

export interface AccessOptions {
  readonly access?: AccessKind | undefined;
  /** `-` if stdin has the password: in the command line, others on the machine could read it. */
  readonly password?: string | undefined;
  /** The lifetime of the link, such as `7d`. */
  readonly linkExpires?: string | undefined;
}

export interface LifeOptions {
  /** `7d`, or `never`. */
  readonly expires?: string | undefined;
}

export const PASSWORD_OPTION = ['--password <->', 'with --access password: read it from stdin'] as const;
export const LINK_EXPIRES_OPTION = [
  '--link-expires <time>',
  'with --access link: how long the link opens the pages (default: 7d)',
] as const;

/** The bounds of `--expires` and `--link-expires`. */
const SECONDS = { min: 60, max: 31_536_000 };

/** Returns when a deployment expires as a request says it. @throws UsageError */
export function lifeOf({ expires }: LifeOptions): Pick<SettingsRequest, 'expiresInSeconds'> {
  if (expires === undefined) return {};
  return { expiresInSeconds: expires === 'never' ? null : secondsOf(expires, '--expires', ', or never') };
}

/** Returns who may see the pages as a request says it, after asking for the password. @throws UsageError */
export async function accessOf(
  { access, password, linkExpires }: AccessOptions,
  context: Context,
): Promise<SettingsRequest> {
  if (password !== undefined && access !== 'password') throw new UsageError('--password needs --access password');
  if (linkExpires !== undefined && access !== 'link') throw new UsageError('--link-expires needs --access link');
  if (access === undefined) return {};
  if (access === 'password') return { access, password: await readPassword(password, context) };
  if (linkExpires === undefined) return { access };
  return { access, linkExpiresInSeconds: secondsOf(linkExpires, '--link-expires', '') };
}

function secondsOf(text: string, option: string, others: string): number {
  const seconds = (durationMs(text) ?? 0) / 1_000;
  if (seconds >= SECONDS.min && seconds <= SECONDS.max) return seconds;
  throw new UsageError(
    `Invalid ${option} ${text}: expected a duration from 1m to 365d, such as 30m, 24h or 7d${others}`,
  );
}

/** Returns the password from stdin, the environment or a person, in this order. */
async function readPassword(option: string | undefined, context: Context): Promise<string> {
  const { env, isTerminal, stdin } = context;
  if (option !== undefined && option !== '-')
    throw new UsageError(
      '--password takes only "-": a password in the command line is visible to others on this machine',
    );
  if (option === '-') return (await readAll(stdin)).replace(/\r?\n$/, '');
  if (env.PTP_PASSWORD) return env.PTP_PASSWORD;
  if (!isTerminal)
    throw new UsageError(
      'The password of the page is missing, and there is no terminal to ask for it: set PTP_PASSWORD, or add --password - and send it to stdin',
    );
  const password = await askSecret('Password of the page', context);
  if ((await askSecret('The same password again', context)) === password) return password;
  throw new Error('The passwords differ: nothing was changed');
}

type Settings = Partial<Pick<DeploymentResource, 'access' | 'link' | 'copiesUntil' | 'expiresAt'>>;

/** Returns when a page expires, in a line. @param isAnonymous whether a claim would keep it */
export function expiryLine({ expiresAt }: Settings, isAnonymous: boolean, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const advice = isAnonymous ? '. With an API key, "ptp claim" keeps it' : '';
  return `It expires in ${span(expiresAt - now)}, at ${timestamp(expiresAt)}${advice}`;
}

/** Returns who may see a page, in lines; none if that is not known. */
export function accessLines({ access, link, copiesUntil = 0 }: Settings, now: number): string[] {
  if (access === undefined) return [];
  const until = link && `, until ${timestamp(link.expiresAt)}`;
  const who = {
    public: 'Everyone can open the page',
    password: 'Only people who know the password can open the page',
    link: `Only people with the link can open the page${until ?? ''}`,
  };
  const copies = `Copies of the public page at the edge are gone by ${timestamp(copiesUntil)}`;
  return [who[access], ...(access !== 'public' && copiesUntil > now ? [copies] : [])];
}

/** Returns a duration in milliseconds as `30 days`, `5 hours` or `2 minutes`. */
function span(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return count(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? count(hours, 'hour') : count(Math.round(hours / 24), 'day');
}
