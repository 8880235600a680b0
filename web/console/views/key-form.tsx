import { useState } from 'preact/hooks';
import { revisit } from '../effects/page-settings.ts';
import { failureOf } from '../state/failure.ts';
import { useConsole } from './console.ts';

/** The field for the API key. @param onUse is called once all requests use the key. Default: the page of the project is read with it */
export function KeyForm({ onUse }: { onUse?(): void }) {
  const { state, context } = useConsole();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const use = (event: Event) => {
    event.preventDefault();
    try {
      context.useKey(text.trim());
      setText('');
      setProblem(undefined);
      if (onUse) onUse();
      else void revisit(context);
    } catch (error) {
      setProblem(failureOf(error).message);
    }
  };
  if (state.key !== undefined)
    return (
      <p class="bar">
        <span>
          All requests use the key that ends with <code>{state.key}</code>.
        </span>
        <button type="button" onClick={() => context.useKey(undefined)}>
          Forget the key
        </button>
      </p>
    );
  return (
    <form class="key" onSubmit={use}>
      <label>
        API key
        <input
          type="password"
          autocomplete="off"
          placeholder="ptp_…"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button class="primary" type="submit" disabled={text.trim() === ''}>
        Use the key
      </button>
      <p class="note">
        It is kept in memory until this page is closed, and sent to this service only. A key has higher limits, and owns
        what it makes.
      </p>
      {problem && (
        <p class="over" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
