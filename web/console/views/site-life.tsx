import { useState } from 'preact/hooks';
import { keepPage } from '../effects/page-settings.ts';
import type { PublishedSite } from '../state/types.ts';
import { date, dateTime, timeUntil, useConsole, useProject } from './console.ts';
import { KeyForm } from './key-form.tsx';

const DAY_MS = 86_400_000;

interface Props {
  readonly site: PublishedSite;
  /** Unix milliseconds. */
  readonly now: number;
}

/** How long the page stays, and how to keep it. */
export function SiteLife({ site, now }: Props) {
  const { context } = useConsole();
  const { busy } = useProject();
  const [isAsking, setAsking] = useState(false);
  const { expiresAt, token } = site;
  const canKeep = token !== undefined || expiresAt !== undefined;
  const keep = () => void keepPage(context);
  return (
    <section aria-label="How long it stays">
      <h3>How long it stays</h3>
      <p class="bar setting">
        <span>{expiresAt === undefined ? 'Until it is deleted.' : endText(expiresAt, now)}</span>
        {canKeep && (
          <button type="button" disabled={busy !== undefined} onClick={context.hasKey ? keep : () => setAsking(true)}>
            {expiresAt === undefined ? 'Claim it' : 'Keep it'}
          </button>
        )}
      </p>
      {isAsking && canKeep && !context.hasKey && (
        <div class="box">
          <p>Enter your API key: the page then belongs to it, and stays.</p>
          <KeyForm onUse={keep} />
        </div>
      )}
      <OwnerNote hasToken={token !== undefined} />
    </section>
  );
}

/** Returns when a page ends: `Expires in 30 days, on Dec 24, 2026.`; its last day, by the minute. */
function endText(expiresAt: number, now: number): string {
  const when = expiresAt - now > DAY_MS ? `on ${date(expiresAt)}` : `at ${dateTime(expiresAt)}`;
  return `Expires ${timeUntil(expiresAt, now)}, ${when}.`;
}

/** Who can change the page, and what the browser keeps of it. */
export function OwnerNote({ hasToken = true }: { hasToken?: boolean }) {
  const { data, state } = useConsole();
  if (state.key !== undefined)
    return (
      <p class="note">
        {hasToken
          ? 'The page belongs to your API key once it is deployed with it, and is then listed under Account.'
          : 'The page belongs to your API key, and is listed under Account.'}
      </p>
    );
  return (
    <p class="note">
      {data.isolated
        ? 'A token manages the page. It is kept in this browser, until you claim the page or forget the project.'
        : 'A token manages the page. It is kept in memory only, because published pages share this origin: once this page is closed or reloaded, nobody can change or delete the page. Before that, keep it with an API key, or copy the token to use it with curl or ptp. The files are in the zip.'}
    </p>
  );
}
