import type { Look } from '../../../client/client.ts';
import { deploy, rollback } from '../effects/deploy.ts';
import { addLinkPicture, linkPicture } from '../effects/page-settings.ts';
import { hasPictures, isBroken, lookSentence, picturesOfSite } from '../state/looks.ts';
import type { PublishedSite } from '../state/types.ts';
import { dateTime, plural, useConsole, useProject } from './console.ts';
import { Pictures, Thumb } from './pictures.tsx';
import { ProblemList, Repair } from './problems.tsx';

/** Another version than the one that this page knows is live: it is looked at before it is replaced. */
export function Conflict() {
  const { context } = useConsole();
  const { conflict, site } = useProject();
  if (!conflict || !site) return null;
  return (
    <div class="notice failed inline" role="alert">
      <p>
        <b>Another version is live</b>
        <br />
        It was deployed at {dateTime(conflict.deployedAt, 'medium')} with {plural(conflict.fileCount, 'file')}.{' '}
        <a href={site.url} target="_blank" rel="noreferrer">
          Look at it
        </a>{' '}
        before you replace it; a rollback can bring it back.
      </p>
      <button type="button" onClick={() => void deploy(context, { replace: true })}>
        Replace it
      </button>
    </div>
  );
}

/** The versions of a deployment, newest first. */
export function Versions({ site }: { site: PublishedSite }) {
  const { context } = useConsole();
  const { busy } = useProject();
  const { versions = [] } = site;
  const isLookedAt = versions.some(({ look }) => look?.state === 'looking' || hasPictures(look));
  return (
    <section aria-label="Versions">
      <h3>Versions</h3>
      <ol class="rows">
        {versions.map(({ version, live, deployedAt, fileCount, title, build, look }) => (
          <li key={version} class="row">
            {isLookedAt && (
              <Thumb
                source={picturesOfSite(site, version, look)}
                name={`${title ?? 'The page'}, ${dateTime(deployedAt)}`}
              />
            )}
            <div>
              <b>{dateTime(deployedAt, 'medium')}</b>
              <small>
                {title ?? 'No title'} · {plural(fileCount, 'file')}
                {build && `, built to ${plural(build.files, 'file')}`}
                {look?.problems && look.problems.length > 0 && ` · ${plural(look.problems.length, 'problem')}`}
              </small>
            </div>
            {live ? (
              <span class="badge">Live</span>
            ) : (
              <button type="button" disabled={busy !== undefined} onClick={() => void rollback(context, version)}>
                Roll back
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The look at the live version. The place of each part is fixed before the browser looks, so that nothing moves. */
export function SiteLook({ site }: { site: PublishedSite }) {
  const { look, title, url, version } = site;
  if (!look) return null;
  const { state } = look;
  if (state === 'skipped' || state === 'failed') return <p class="note">{lookSentence(look)}</p>;
  return (
    <section class="seen" aria-label="In a browser">
      <h3>In a browser</h3>
      {(state === 'looking' || hasPictures(look)) && (
        <Pictures source={picturesOfSite(site, version, look)} name={title ?? url} />
      )}
      <SiteProblems look={look} />
      <LinkPicture site={site} />
    </section>
  );
}

function SiteProblems({ look }: { look: Look }) {
  const { problems = [] } = look;
  const text = lookSentence(look);
  if (problems.length === 0) return <p class="note line">{text}</p>;
  return (
    <details class="line">
      <summary class={isBroken(look) ? 'warning' : ''}>{text}</summary>
      <ProblemList problems={problems} />
      <Repair lead="A browser found these problems of the page. Repair them:" problems={problems} />
    </details>
  );
}

/** Offers the line that gives links to the page a picture. The service never changes HTML by itself. */
function LinkPicture({ site }: { site: PublishedSite }) {
  const { context } = useConsole();
  const project = useProject();
  const found = site.files === project.files && linkPicture(project);
  if (!found) return null;
  return (
    <p class="note bar">
      <span>
        Links to the page show no picture, because <code>{found.path}</code> has no <code>og:image</code>.
      </span>
      <button type="button" disabled={project.busy !== undefined} onClick={() => addLinkPicture(context)}>
        Add a preview picture
      </button>
    </p>
  );
}
