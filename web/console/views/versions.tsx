import { deploy, rollback } from '../effects/deploy.ts';
import { hasPictures, picturesOfSite } from '../state/pictures.ts';
import type { PublishedSite } from '../state/types.ts';
import { dateTime, plural, useConsole, useProject } from './console.ts';
import { Thumb } from './pictures.tsx';

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
        It was deployed at {dateTime(conflict.deployedAt, 'medium')} with {plural(conflict.fileCount, 'file')}
        .{' '}
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
                {look?.problems &&
                  look.problems.length > 0 &&
                  ` · ${plural(look.problems.length, 'problem')}`}
              </small>
            </div>
            {live ? (
              <span class="badge">Live</span>
            ) : (
              <button
                type="button"
                disabled={busy !== undefined}
                onClick={() => void rollback(context, version)}
              >
                Roll back
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
