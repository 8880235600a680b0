import { useMemo, useRef, useState } from 'preact/hooks';
import { type TreeRow, treeMove, treeRows } from './rows.ts';

export type FileMark = 'new' | 'changed';

interface FileTreeProps {
  /** Paths. */
  readonly files: readonly string[];
  readonly selected: string | undefined;
  onSelect(path: string): void;
  /** Paths that a generation has announced, but not written yet. */
  readonly planned?: readonly string[] | undefined;
  /** The sizes of files that are being written. */
  readonly growing?: ReadonlyMap<string, string> | undefined;
  readonly marks?: ReadonlyMap<string, FileMark> | undefined;
}

/** The files as a tree for mouse, touch and keyboard (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/). */
export function FileTree({ files, selected, onSelect, planned = [], growing, marks }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string>();
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => treeRows([...files, ...planned], closed), [files, planned, closed]);
  const written = new Set(files);
  const isVisible = (path: string | undefined) => rows.some((row) => row.path === path);
  const stop = [focused, selected].find(isVisible) ?? rows[0]?.path;

  const toggle = (path: string) =>
    setClosed((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]));
  const activate = (row: TreeRow) => {
    setFocused(row.path);
    if (row.open !== undefined) toggle(row.path);
    else if (written.has(row.path)) onSelect(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || stop === undefined) return;
    const row = rows.find(({ path }) => path === stop);
    const move = treeMove(rows, stop, event.key);
    if (row && (event.key === 'Enter' || event.key === ' ')) activate(row);
    else if (!move) return;
    event.preventDefault();
    if (move?.toggle !== undefined) toggle(move.toggle);
    if (move?.focus !== undefined) {
      setFocused(move.focus);
      const at = rows.findIndex(({ path }) => path === move.focus);
      (tree.current?.children[at] as HTMLElement | undefined)?.focus();
    }
  };

  return (
    <div class="file-tree" role="tree" aria-label="Files" ref={tree} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
        <div
          key={row.path}
          role="treeitem"
          class={row.open === undefined && !written.has(row.path) ? 'planned' : undefined}
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.siblings}
          aria-expanded={row.open}
          aria-selected={row.path === selected}
          tabIndex={row.path === stop ? 0 : -1}
          style={{ '--level': row.level }}
          onClick={() => activate(row)}
        >
          <span class="file-name">{row.name}</span>
          {row.open === undefined && (
            <Mark size={growing?.get(row.path)} mark={marks?.get(row.path)} isWritten={written.has(row.path)} />
          )}
        </div>
      ))}
    </div>
  );
}

interface MarkProps {
  readonly size: string | undefined;
  readonly mark: FileMark | undefined;
  readonly isWritten: boolean;
}

function Mark({ size, mark, isWritten }: MarkProps) {
  if (isWritten && !mark && size === undefined) return null;
  const text = size ?? mark ?? 'planned';
  // Keyed: a text that is aligned right would move.
  return (
    <span key={text} class={`file-mark ${size === undefined ? (mark ?? '') : 'growing'}`}>
      {text}
    </span>
  );
}
