import { useEffect, useState } from 'preact/hooks';
import type { ViewsResponse } from '../../../client/client.ts';
import { newKey } from '../../../client/files.ts';
import { deploy, remove } from '../effects/deploy.ts';
import { ViewsChart } from '../parts/charts.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { failureOf } from '../state/failure.ts';
import { domainUrl, needsKey, PUBLIC, siteEnd } from '../state/site.ts';
import type { Failure, Files, OpenProject, PublishedSite } from '../state/types.ts';
import { dateTime, plural, useConsole, useNow, useProject } from './console.ts';
import { CopyButton } from './copy-button.tsx';
import { KeyForm } from './key-form.tsx';
import { FailureText } from './notices.tsx';
import { ProblemList } from './problems.tsx';
import { AccessFields, SiteAccess } from './site-access.tsx';
import { SiteDomains } from './site-domains.tsx';
import { OwnerNote, SiteLife } from './site-life.tsx';
import { Conflict, SiteLook, Versions } from './site-version.tsx';

/** The deployment of the project: link, QR code, who may see it and for how long, versions. */
export function Publish() {
  const { state } = useConsole();
  const { site } = useProject();
  const now = useNow(site !== undefined, 15_000);
  if (!site) return <Unpublished key="none" />;
  const end = siteEnd(site, now);
  if (needsKey(site, state.key !== undefined) && !end) return <ForeignPage key="foreign" site={site} />;
  return (
    <div key="site" class="publish">
      <Conflict />
      {end ? <Ended site={site} end={end} /> : <Live site={site} now={now} />}
    </div>
  );
}

function Unpublished() {
  const { dispatch } = useConsole();
  const { files, busy, sharing = PUBLIC } = useProject();
  return (
    <div class="publish">
      <h2>{busy === 'deploy' ? 'Deploying…' : 'Not published yet'}</h2>
      <p>Deploying makes {plural(files.size, 'file')} a page at a URL of this service. Later deploys keep the URL.</p>
      <AccessFields
        sharing={sharing}
        disabled={busy !== undefined}
        onChange={(changed) => dispatch({ type: 'sharing', sharing: changed })}
      />
      <OwnerNote />
    </div>
  );
}

/** A page that this page of the console cannot change. */
function ForeignPage({ site: { title, url, token } }: { site: PublishedSite }) {
  const { state, dispatch } = useConsole();
  const owner = state.key === undefined ? 'an API key' : 'another API key';
  return (
    <div class="publish">
      <h2>{title ?? 'Published'}</h2>
      <a class="url" href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
      <div class="box">
        <p>
          <b>
            {token === undefined
              ? `The page belongs to ${owner}.`
              : 'The page was claimed, or its token is not valid any more.'}
          </b>{' '}
          Enter the key that it belongs to, to change the page: browsers do not keep keys.
        </p>
        <KeyForm />
      </div>
      <p class="bar setting">
        <span>The project is here, and can be published without that key, too.</span>
        <button type="button" onClick={() => dispatch({ type: 'copied', projectId: newKey() })}>
          Publish a copy at another URL
        </button>
      </p>
    </div>
  );
}

interface EndedProps {
  readonly site: PublishedSite;
  readonly end: 'deleted' | 'expired';
}

function Ended({ site: { url, token, expiresAt }, end }: EndedProps) {
  const { context } = useConsole();
  const { busy, files } = useProject();
  const isMoved = token !== undefined && context.hasKey;
  const when = expiresAt === undefined ? '' : ` at ${dateTime(expiresAt)}`;
  return (
    <>
      <h2>{end === 'expired' ? 'Expired' : 'Deleted'}</h2>
      <p>
        {end === 'expired' ? (
          <>
            <s>{url}</s> expired{when}: visitors see that it is gone.
          </>
        ) : (
          <>
            <s>{url}</s> is gone.
          </>
        )}{' '}
        {isMoved ? 'With your key, deploying makes a page at another URL.' : 'Deploying again restores the URL.'}
      </p>
      <button type="button" disabled={busy !== undefined || files.size === 0} onClick={() => void deploy(context)}>
        Publish again
      </button>
    </>
  );
}

interface SectionProps {
  readonly site: PublishedSite;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The sections of a page that is there. */
function Live({ site, now }: SectionProps) {
  return (
    <>
      <Address site={site} now={now} />
      <SiteReview key={`review ${site.review?.state}`} site={site} />
      <SiteLife site={site} now={now} />
      <SiteAccess site={site} now={now} />
      <SiteDomains site={site} />
      <SiteLook site={site} />
      {/* Keyed: it begins further down with a look. */}
      <Versions key={`versions ${site.look !== undefined}`} site={site} />
      <SiteViews key={`views ${site.look !== undefined}`} site={site} />
    </>
  );
}

function Address({ site, now }: SectionProps) {
  const { context } = useConsole();
  const { files, busy, conflict } = useProject();
  const url = domainUrl(site.domains) ?? site.url;
  const address = site.link && site.link.expiresAt > now ? site.link.url : url;
  return (
    <>
      <h2>{site.title ?? 'Published'}</h2>
      <div class="live">
        <div>
          <a class="url" href={address} target="_blank" rel="noreferrer">
            {url}
          </a>
          <p class="note">{stateOf(site, files, busy, conflict !== undefined)}</p>
          {site.warning && <p class="warning">{site.warning}</p>}
          <div class="bar acts">
            <CopyButton text={address} title="Copy link" />
            {site.token && <CopyButton text={site.token} title="Copy token" />}
            <button
              type="button"
              disabled={busy !== undefined}
              onClick={() => confirm(`Delete ${site.url}?`) && void remove(context)}
            >
              Delete
            </button>
          </div>
        </div>
        <div class="code-of-url">
          <QrCode text={address} />
        </div>
      </div>
    </>
  );
}

const BUSY: Readonly<Record<NonNullable<OpenProject['busy']>, string>> = {
  deploy: 'Deploying…',
  rollback: 'Rolling back…',
  delete: 'Deleting…',
  claim: 'Claiming…',
  access: 'Changing who can see it…',
  domain: 'Changing its domains…',
  undo: '',
};

function stateOf(site: PublishedSite, files: Files, busy: OpenProject['busy'], isForeign: boolean): string {
  if (busy !== undefined) return BUSY[busy];
  if (site.files === files && !isForeign) return 'The page is up to date.';
  if (!site.files) return 'The live version may have other files than those shown here.';
  return 'The files differ from the published page: deploy them to update it.';
}

/** Why visitors do not see the page, by file, and what can be done about it. */
function SiteReview({ site: { review, token } }: { site: PublishedSite }) {
  if (review?.state !== 'held') return null;
  return (
    <section class="notice failed inline" aria-label="Review">
      <div>
        <p>
          <b>Visitors do not see the page</b>
          <br />
          It resembles pages that deceive their visitors:
        </p>
        <ProblemList problems={review.reasons.map(({ path, reason }) => ({ path, message: reason }))} />
        <p>
          Change what the reasons name and deploy again
          {token !== undefined && ', keep the page with an API key, which is trusted more'}, or ask the operator to
          review the page.
        </p>
      </div>
    </section>
  );
}

/** Who opened the pages of a deployment. The numbers are last in the panel: nothing moves when they are there. */
function SiteViews({ site: { id, token } }: { site: PublishedSite }) {
  const { client } = useConsole().context;
  const [report, setReport] = useState<ViewsResponse>();
  const [failure, setFailure] = useState<Failure>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setFailure(undefined);
    client.deployments
      .views(id, { token, signal })
      .then(setReport)
      .catch((error) => !signal.aborted && setFailure(failureOf(error)));
    return () => controller.abort();
  }, [client, id, token, round]);
  return (
    <section aria-label="Views">
      <h3>Views</h3>
      <button type="button" onClick={() => setRound(round + 1)}>
        Count again
      </button>
      {failure && (
        <div class="notice failed inline" role="alert">
          <FailureText failure={failure} />
        </div>
      )}
      {report ? <Report report={report} /> : !failure && <p class="note">Counting…</p>}
    </section>
  );
}

function Report({ report }: { report: ViewsResponse }) {
  const { counted, reason, totals } = report;
  const isEmpty = totals.views + totals.bots === 0;
  return (
    <>
      {!counted && <p class="note">Views are not counted. {reason}.</p>}
      {counted && isEmpty && <p class="note">Nobody has opened the page yet.</p>}
      {!isEmpty && <ViewsChart report={report} />}
    </>
  );
}
