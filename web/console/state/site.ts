import type { DeploymentResource, DomainResource } from '../../../client/client.ts';
import type { Action } from './actions.ts';
import type { OpenProject, PublishedSite, Sharing } from './types.ts';

/** The settings of a new page, unless its owner chooses others. */
export const PUBLIC: Sharing = { access: 'public', password: '', linkSeconds: 604_800 };

/** The service's bounds of a password. */
export const PASSWORD_CHARACTERS = { min: 8, max: 128 } as const;

/** Returns what is wrong with a choice; undefined for nothing. */
export function sharingProblem({ access, password }: Sharing): string | undefined {
  const { min, max } = PASSWORD_CHARACTERS;
  const isRight = password.length >= min && password.length <= max;
  return access !== 'password' || isRight ? undefined : `Enter a password of ${min} to ${max} characters`;
}

/** Returns why a page is gone; undefined if it is there. @param now in Unix milliseconds */
export function siteEnd(
  { end, expiresAt }: Pick<PublishedSite, 'end' | 'expiresAt'>,
  now: number,
): PublishedSite['end'] {
  return end ?? (expiresAt !== undefined && expiresAt <= now ? 'expired' : undefined);
}

/** Whether only a key can change the page, and this page of the console does not have it. */
export const needsKey = ({ token, isForeign, end }: PublishedSite, hasKey: boolean) =>
  end === undefined && (isForeign === true || (token === undefined && !hasKey));

/** Returns the project after an action about its page. */
export function withSite(project: OpenProject, action: Action): OpenProject {
  const { site } = project;
  switch (action.type) {
    case 'busy':
      return { ...project, busy: action.with };
    case 'sharing':
      return { ...project, sharing: action.sharing };
    case 'deployed':
      return deployed(project, action);
    case 'site':
      return site ? { ...project, site: siteWith(site, action.resource), busy: undefined } : project;
    case 'seen':
      return site ? { ...project, site: seenSite(site, action.resource) } : project;
    case 'domains':
      return site?.id === action.id ? { ...project, site: { ...site, domains: action.domains } } : project;
    case 'foreign':
      return site ? { ...project, site: { ...site, isForeign: true }, busy: undefined } : project;
    case 'conflict':
      return { ...project, conflict: action.live, busy: undefined };
    case 'ended':
      return withoutPage(project, action.end);
    case 'copied':
      return { ...project, ...copied(project, action.projectId), busy: undefined };
    default:
      return project;
  }
}

/** Returns what makes a project publish another page, which is as private as the one before. */
function copied({ site }: OpenProject, projectId: string) {
  const access = site?.access ?? 'public';
  return { projectId, site: undefined, conflict: undefined, sharing: { ...PUBLIC, access } };
}

function deployed(
  project: OpenProject,
  { deployed: result, files }: Extract<Action, { type: 'deployed' }>,
): OpenProject {
  const { id, url, version, token, title, warning, expiresAt } = result;
  const { access = project.site?.access ?? 'public', link = project.site?.link } = result;
  const site: PublishedSite = {
    ...project.site,
    id,
    url,
    version,
    title,
    warning,
    files,
    token: token ?? project.site?.token,
    expiresAt,
    access,
    link,
    // Those before are of another version.
    look: undefined,
    review: undefined,
    end: undefined,
    isForeign: false,
  };
  return { ...project, site, safe: files, sharing: undefined, busy: undefined, conflict: undefined };
}

function withoutPage(project: OpenProject, end: PublishedSite['end']): OpenProject {
  if (!project.site) return project;
  const site = { ...project.site, end, versions: [], files: undefined };
  return { ...project, site, busy: undefined };
}

/** The version stays that which this page knows: if another one is live, the next deploy says so. */
function seenSite(site: PublishedSite, { versions }: DeploymentResource): PublishedSite {
  const looks = new Map(versions.map(({ version, look }) => [version, look]));
  const seen = site.versions?.map((version) => {
    const look = looks.get(version.version);
    return look ? { ...version, look } : version;
  });
  return { ...site, look: looks.get(site.version), ...(seen && { versions: seen }) };
}

/** Returns why nobody but the owner sees a page that is held; undefined if it is not. */
function heldNote({ review, owner }: DeploymentResource): string | undefined {
  if (review?.state !== 'held') return undefined;
  const why = review.reasons.slice(0, 3).map(({ path, reason }) => `${path}: ${reason}`);
  const claim = owner === 'anonymous' ? ', claim it with an API key' : '';
  return `The page is held for review, and visitors get a 403. To make it public, deploy other files${claim}, or ask the operator. ${why.join('; ')}`;
}

function siteWith(site: PublishedSite, resource: DeploymentResource): PublishedSite {
  const { version, title, warning, versions, look, owner } = resource;
  const { expiresAt, access, link, domains, copiesUntil, review } = resource;
  return {
    ...site,
    version,
    title,
    warning: heldNote(resource) ?? warning,
    versions,
    look,
    expiresAt,
    access,
    link,
    domains,
    copiesUntil,
    review,
    // A claim ended it.
    token: owner === 'anonymous' ? site.token : undefined,
    // After a rollback, the live files are not the ones that this page deployed last.
    files: version === site.version ? site.files : undefined,
    end: undefined,
    isForeign: false,
  };
}

/** The texts for domains, by state. */
export const DOMAIN_TEXTS: Readonly<Record<DomainResource['state'], string>> = {
  waiting_for_dns: 'Waits for its DNS records',
  issuing: 'Is being set up, which takes some minutes',
  active: 'Shows the page',
  failed: 'Failed',
  removing: 'Is being removed, which takes some minutes',
};

/** Whether the service goes on with a domain by itself. */
export const isUnderWay = ({ state }: DomainResource) => state !== 'active' && state !== 'failed';

/** Returns domains with one that is new, or as it is now. */
export function withDomain(all: readonly DomainResource[], one: DomainResource): DomainResource[] {
  const isKnown = all.some(({ domain }) => domain === one.domain);
  return isKnown ? all.map((other) => (other.domain === one.domain ? one : other)) : [...all, one];
}

/** Returns the address of a page at the first of its domains that shows it. */
export function domainUrl(domains: readonly DomainResource[] = []): string | undefined {
  return domains.find(({ state }) => state === 'active')?.url;
}

/** 32 characters that nobody mistakes for each other. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a random password of 80 bits that can be read out: four groups of four characters. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const characters = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}
