import { useState } from 'preact/hooks';
import { changeAccess } from '../effects/page-settings.ts';
import { PUBLIC, sharingProblem } from '../state/site.ts';
import type { Access, PublishedSite } from '../state/types.ts';
import { AccessFields } from './access-fields.tsx';
import { dateTime, useConsole, useProject } from './console.ts';
import { CopyButton } from './copy-button.tsx';

const VIEWERS: Readonly<Record<Access, string>> = {
  public: 'Everyone.',
  password: 'People with the password.',
  link: 'People with the link.',
};

interface Props {
  readonly site: PublishedSite;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Who can see the page, and a form to change that. */
export function SiteAccess({ site, now }: Props) {
  const { access = 'public', link, copiesUntil } = site;
  return (
    <section aria-label="Who can see it">
      <h3>Who can see it</h3>
      <p>{VIEWERS[access]}</p>
      {link && <Link link={link} now={now} />}
      {copiesUntil !== undefined && copiesUntil > now && (
        <p class="note">
          Edge locations drop their copies from before, by {dateTime(copiesUntil, 'medium')} at the latest.
          Browsers may have copies of their own.
        </p>
      )}
      {/* Keyed: it begins with what is. */}
      <Change key={`${access} ${link?.url}`} access={access} />
    </section>
  );
}

function Link({ link, now }: { link: NonNullable<PublishedSite['link']>; now: number }) {
  const isOver = link.expiresAt <= now;
  return (
    <div class="access-link">
      <code>{link.url}</code>
      <p class="bar setting">
        <span>
          {isOver
            ? `The link ended at ${dateTime(link.expiresAt)}: make a new one.`
            : `It opens the page until ${dateTime(link.expiresAt)}.`}
        </span>
        {!isOver && <CopyButton text={link.url} title="Copy access link" />}
      </p>
    </div>
  );
}

function Change({ access }: { access: Access }) {
  const { busy } = useProject();
  const { context } = useConsole();
  const [sharing, setSharing] = useState({ ...PUBLIC, access });
  const isSame = sharing.access === 'public' && access === 'public';
  const isReady = !isSame && sharingProblem(sharing) === undefined && busy === undefined;
  return (
    <details>
      <summary>Change who can see it</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void changeAccess(context, sharing);
        }}
      >
        <AccessFields isTitled sharing={sharing} disabled={busy !== undefined} onChange={setSharing} />
        {access !== 'public' && (
          <p class="note">A change ends the link and the passwords that browsers remember.</p>
        )}
        <button type="submit" disabled={!isReady}>
          {sharing.access === 'link' && access === 'link' ? 'Make a new link' : 'Save'}
        </button>
      </form>
    </details>
  );
}
