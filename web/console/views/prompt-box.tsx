import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import type { Form } from '../state/types.ts';
import { useConsole } from './console.ts';

const DURATION_NAMES: Readonly<Record<Form['duration'], string>> = {
  auto: 'Automatic',
  '5min': 'Up to 5 minutes',
  '10min': 'Up to 10 minutes',
};

interface Props {
  label: string;
  placeholder: string;
  submit: string;
  /** Shown in the box; the counter makes each choice of the same prompt a new one. */
  given?: { readonly prompt: string; readonly count: number } | undefined;
  disabled?: boolean;
  isSmall?: boolean;
  onSubmit(form: Form): void;
}

/** A prompt that was suggested can have many lines. */
const rowsOf = (prompt: string) => Math.min(8, Math.max(2, prompt.split('\n').length));

/** A prompt with model and duration. Enter sends it, Shift and Enter begin a new line. */
export function PromptBox({ label, placeholder, submit, given, disabled = false, isSmall = false, onSubmit }: Props) {
  const { data } = useConsole();
  const [form, setForm] = useState<Form>({ prompt: given?.prompt ?? '', model: 'auto', duration: 'auto' });
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (!given) return;
    setForm((before) => ({ ...before, prompt: given.prompt }));
    if (given.count > 0) box.current?.focus();
  }, [given]);
  const length = [...form.prompt].length;
  const isReady = form.prompt.trim() !== '' && length <= LIMITS.promptCharacters && !disabled;
  const send = () => {
    if (!isReady) return box.current?.focus();
    onSubmit(form);
    setForm((before) => ({ ...before, prompt: '' }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class={isSmall ? 'prompt small' : 'prompt'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        aria-label={label}
        placeholder={placeholder}
        rows={isSmall ? rowsOf(form.prompt) : 3}
        value={form.prompt}
        onInput={({ currentTarget }) => setForm({ ...form, prompt: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div class="bar">
        <div class="choices">
          <select
            aria-label="Model"
            value={form.model}
            onChange={({ currentTarget }) => setForm({ ...form, model: currentTarget.value as Form['model'] })}
          >
            <option value="auto">Any model</option>
            {data.providers.map(({ name, model }) => (
              <option key={name} value={name}>
                {`${name}: ${model}`}
              </option>
            ))}
          </select>
          <select
            aria-label="Duration"
            value={form.duration}
            onChange={({ currentTarget }) => setForm({ ...form, duration: currentTarget.value as Form['duration'] })}
          >
            {Object.entries(DURATION_NAMES).map(([duration, name]) => (
              <option key={duration} value={duration}>
                {name}
              </option>
            ))}
          </select>
          {length > LIMITS.promptCharacters && (
            <span class="over">{`${length.toLocaleString('en')} of ${LIMITS.promptCharacters.toLocaleString('en')} characters`}</span>
          )}
        </div>
        <button class="primary" type="submit" aria-disabled={!isReady}>
          {submit}
        </button>
      </div>
    </form>
  );
}
