import { ApiError } from '../../contract/errors.ts';
import { newSiteData, type SiteData, siteOf } from '../../stored/data/site-data.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS, TOKEN_HEADER } from '../../stored/deployment-owner.ts';
import type { DataChange } from '../../stored/pointer-update.ts';
import type { DeployedData } from './data-table.ts';
import { type Declared, NO_DATA } from './declared.ts';

/**
 * Returns what a deploy does to the data of its site. Rules are access, not content: only the owner changes them, and without a
 * declaration the data stays with no rules.
 * @param before the deployment, unless it is new
 * @throws ApiError forbidden
 */
export function planData(
  declared: Pick<Declared, 'hash'> | undefined,
  before: Deployment | undefined,
  { owner, holdsToken }: { readonly owner: string; readonly holdsToken: boolean },
  now: number,
): DataChange {
  const was = before?.data;
  const isThere = before !== undefined && before.deletedAt === undefined;
  if (!isThere) return { was, is: declared && newSiteData(declared.hash, now) };
  const hash = declared?.hash ?? NO_DATA.hash;
  if (hash === (was?.rules ?? NO_DATA.hash)) return { was, is: was };
  if (owner === ANONYMOUS && !holdsToken) throw rulesError();
  return { was, is: was ? { ...was, rules: hash } : newSiteData(hash, now) };
}

function rulesError(): ApiError {
  return new ApiError(
    'forbidden',
    `The _data.json of this deploy is not the one of the deployment: whoever knows only the projectId cannot change what visitors may do. Send the ${TOKEN_HEADER} of the deployment, or deploy with the _data.json that it has; nothing was changed`,
  );
}

/** Stores what a change of a pointer refers to, before the pointer moves. */
export async function storeData(
  id: string,
  { was, is }: DataChange,
  text: string | undefined,
  table: DeployedData,
  now: number,
): Promise<void> {
  await Promise.all([
    is && is.rules !== sameSite(was, is)?.rules
      ? table.putRules(siteOf(id, is), is.rules, text ?? NO_DATA.text)
      : undefined,
    was && is?.since !== was.since ? table.endSite(siteOf(id, was), now) : undefined,
  ]);
}

const sameSite = (was: SiteData | undefined, is: SiteData) => (was?.since === is.since ? was : undefined);
