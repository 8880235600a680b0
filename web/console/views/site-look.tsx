import type { Look } from '../../../client/client.ts';
import { addLinkPicture, linkPicture } from '../effects/link-picture.ts';
import { isBroken, lookSentence } from '../state/looks.ts';
import { hasPictures, picturesOfSite } from '../state/pictures.ts';
import type { PublishedSite } from '../state/types.ts';
import { useConsole, useProject } from './console.ts';
import { Pictures } from './pictures.tsx';
import { ProblemList, Repair } from './problems.tsx';

/** What a browser saw of the live version. The place of each part is fixed before it looks, so that nothing moves. */
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
