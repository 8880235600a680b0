import { useState } from 'preact/hooks';
import { newPassword } from '../state/new-password.ts';
import { PASSWORD_CHARACTERS } from '../state/site.ts';
import type { Access, Sharing } from '../state/types.ts';
import { useConsole } from './console.ts';

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

interface Props {
  readonly sharing: Sharing;
  readonly disabled: boolean;
  /** Whether a title is above it. */
  readonly isTitled?: boolean;
  onChange(sharing: Sharing): void;
}

/** Who can see the page. Pages that share an origin cannot be private. */
export function AccessFields({ sharing, disabled, isTitled = false, onChange }: Props) {
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
          Pages of this service cannot be private: they share one origin, on which other pages could read
          them. Its operator can give them their own with <code>siteDomain</code>.
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
            onChange={({ currentTarget }) =>
              onChange({ ...sharing, linkSeconds: Number(currentTarget.value) })
            }
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
