import { type DiffLine, diffLines } from './rows.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', same: ' ', hunk: '' };

/** A unified diff. Signs and elements tell additions and deletions, not the color alone. */
export function Diff({ diff }: { readonly diff: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section class="diff" aria-label="Changes" tabIndex={0}>
      {diffLines(diff).map((line, at) => (
        <div key={at} class={`diff-line ${line.kind}`}>
          <span class="diff-number" aria-hidden="true">
            {line.number}
          </span>
          <Line {...line} />
        </div>
      ))}
    </section>
  );
}

function Line({ kind, text }: DiffLine) {
  const content = `${SIGNS[kind]}${text}`;
  if (kind === 'added') return <ins>{content}</ins>;
  return kind === 'removed' ? <del>{content}</del> : <span>{content}</span>;
}
