import { remove } from '../effects/deploy.ts';
import { QrCode } from '../parts/qr-code.tsx';
import type { Files, OpenProject, PublishedSite } from '../state/types.ts';
import { plural, useConsole, useProject } from './console.ts';
import { SiteLook } from './site-look.tsx';
import { SiteViews } from './site-views.tsx';
import { Conflict, Versions } from './versions.tsx';

/** The deployment of the project: link, QR code, versions. */
export function Publish() {
  const { context } = useConsole();
  const { site, files, busy, conflict } = useProject();
  if (!site)
    return (
      <div key="none" class="publish">
        <h2>{busy === 'deploy' ? 'Deploying…' : 'Not published yet'}</h2>
        <p>
          Deploying makes {plural(files.size, 'file')} public at a URL of this service. Later deploys keep the
          URL.
        </p>
        <TokenNote />
      </div>
    );
  return (
    <div key="site" class="publish">
      <Conflict />
      {site.isDeleted ? (
        <>
          <h2>Deleted</h2>
          <p>
            <s>{site.url}</s> is gone. Deploying again restores the URL.
          </p>
        </>
      ) : (
        <>
          <h2>{site.title ?? 'Published'}</h2>
          <div class="live">
            <div>
              <a class="url" href={site.url} target="_blank" rel="noreferrer">
                {site.url}
              </a>
              <p class="note">{stateOf(site, files, busy, conflict !== undefined)}</p>
              {site.warning && <p class="warning">{site.warning}</p>}
              <div class="bar acts">
                <CopyButton text={site.url} title="Copy link" />
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
              <QrCode text={site.url} />
            </div>
          </div>
          <TokenNote />
          <SiteLook site={site} />
          {/* Keyed: it begins further down with a look. */}
          <Versions key={`versions ${site.look !== undefined}`} site={site} />
          <SiteViews key={`views ${site.look !== undefined}`} site={site} />
        </>
      )}
    </div>
  );
}

function stateOf(site: PublishedSite, files: Files, busy: OpenProject['busy'], isForeign: boolean): string {
  if (busy !== undefined)
    return { deploy: 'Deploying…', rollback: 'Rolling back…', delete: 'Deleting…', undo: '' }[busy];
  if (site.files === files && !isForeign) return 'The page is up to date.';
  if (!site.files) return 'The live version may have other files than those shown here.';
  return 'The files differ from the published page: deploy them to update it.';
}

function TokenNote() {
  const { data, state } = useConsole();
  if (state.key !== undefined)
    return <p class="note">The page belongs to your key, and is listed under Account.</p>;
  return (
    <p class="note">
      {data.isolated
        ? 'A token manages the page. It is kept in this browser.'
        : 'A token manages the page. It is kept in memory only, because published pages share this origin: after a reload, the page can no longer be changed. Copy the token to use it with curl or ptp.'}
    </p>
  );
}

function CopyButton({ text, title }: { text: string; title: string }) {
  const { dispatch } = useConsole();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      dispatch({ type: 'status', text: 'Copied' });
    } catch {
      prompt(title, text);
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {title}
    </button>
  );
}
