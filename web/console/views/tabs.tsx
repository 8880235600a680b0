import type { ComponentChildren } from 'preact';

interface Props<Name extends string> {
  label: string;
  tabs: readonly { readonly name: Name; readonly title: ComponentChildren }[];
  shown: Name;
  onShow(name: Name): void;
}

/** Tabs that arrow keys move between (WAI-ARIA APG); their panels have the id `panel-<name>`. */
export function Tabs<Name extends string>({ label, tabs, shown, onShow }: Props<Name>) {
  const index = tabs.findIndex(({ name }) => name === shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key];
    const next = step === undefined ? undefined : tabs.at((index + step) % tabs.length);
    if (!next) return;
    event.preventDefault();
    onShow(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === shown}
          aria-controls={name === shown ? `panel-${name}` : undefined}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onShow(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
