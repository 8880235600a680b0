import { useState } from 'preact/hooks';
import { changeAccess } from '../effects/page-settings.ts';
import { newPassword, PASSWORD_CHARACTERS, PUBLIC, sharingProblem } from '../state/site.ts';
import type { Access, PublishedSite, Sharing } from '../state/types.ts';
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
          Edge locations drop their copies from before, by {dateTime(copiesUntil, 'medium')} at the latest. Browsers may
          have copies of their own.
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
        {access !== 'public' && <p class="note">A change ends the link and the passwords that browsers remember.</p>}
        <button type="submit" disabled={!isReady}>
          {sharing.access === 'link' && access === 'link' ? 'Make a new link' : 'Save'}
        </button>
      </form>
    </details>
  );
}

const CHOICES: Readonly<Record<Access, readonly [title: string, note: string]>> = {
  public: ['Everyone', 'Anyone who has the URL.'],
  password: ['People with a password', 'The page asks for it.'],
  link: ['People with a link', 'The link opens the page until its end.'],
};

const DAY = 86_400;
const LINK_LIVES = [
  [DAY, 'a day'],
  [7 * DAY, 'a week'],
  [30 * DAY, '30 days'],
  [365 * DAY, 'a year'],
] as const;

interface FieldsProps {
  readonly sharing: Sharing;
  readonly disabled: boolean;
  /** Whether a title is above it. */
  readonly isTitled?: boolean;
  onChange(sharing: Sharing): void;
}

/** Who can see the page. Pages that share an origin cannot be private. */
export function AccessFields({ sharing, disabled, isTitled = false, onChange }: FieldsProps) {
  const { isolated } = useConsole().data;
  return (
    <fieldset class="access">
      <legend class={isTitled ? 'hidden' : ''}>Who can see the page</legend>
      {(Object.keys(CHOICES) as Access[]).map((access) => (
        <label key={access}>
          <input
            type="radio"
            name="access"
            checked={sharing.access === access}
            disabled={disabled || (access !== 'public' && !isolated)}
            onChange={() => onChange({ ...sharing, access })}
          />
          <span>
            {CHOICES[access][0]}
            <small>{CHOICES[access][1]}</small>
          </span>
        </label>
      ))}
      {!isolated && (
        <p class="note">
          Pages of this service cannot be private: they share one origin, on which other pages could read them. Its
          operator can give them their own with <code>siteDomain</code>.
        </p>
      )}
      {sharing.access === 'password' && (
        <PasswordField
          value={sharing.password}
          disabled={disabled}
          onChange={(password) => onChange({ ...sharing, password })}
        />
      )}
      {sharing.access === 'link' && (
        <label class="bar">
          <span>The link is valid for</span>
          <select
            value={sharing.linkSeconds}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ ...sharing, linkSeconds: Number(currentTarget.value) })}
          >
            {LINK_LIVES.map(([seconds, title]) => (
              <option key={seconds} value={seconds}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

interface PasswordProps {
  readonly value: string;
  readonly disabled: boolean;
  onChange(password: string): void;
}

/** A password, which nothing stores. A suggested one is shown, so that it can be sent to people. */
function PasswordField({ value, disabled, onChange }: PasswordProps) {
  const [isShown, setShown] = useState(false);
  const { min, max } = PASSWORD_CHARACTERS;
  const suggest = () => {
    setShown(true);
    onChange(newPassword());
  };
  return (
    <div class="key">
      <label>
        Password of the page
        <input
          {...(isShown ? { type: 'text' } : { type: 'password' })}
          autocomplete="new-password"
          spellcheck={false}
          maxLength={max}
          value={value}
          disabled={disabled}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <div class="bar acts">
        <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show
        </button>
        <button type="button" disabled={disabled} onClick={suggest}>
          Suggest one
        </button>
      </div>
      <p class="note">
        {min} to {max} characters. This browser does not keep it, and the service only a hash: note it.
      </p>
    </div>
  );
}
