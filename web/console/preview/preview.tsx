import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { entryOf } from '../../../lambda/sites/entry.ts';
import { Frames } from './frames.ts';
import type { Files } from './messages.ts';

export interface PreviewProps {
  readonly files: Files;
  readonly width: 'phone' | 'desktop';
  /** Is called with `path:line: message` for errors of the page. */
  readonly onProblem?: (message: string) => void;
}

/** A page that is wider than the box is scaled down to it. */
const DESKTOP_WIDTH = 1_280;

/** Runs a project that nobody trusts, isolated from the console (docs/decisions/0034). */
export function Preview({ files, width, onProblem }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames>(undefined);
  const report = useRef(onProblem);
  report.current = onProblem;
  const hasPage = entryOf([...files.keys()]) !== '';
  useEffect(() => {
    if (box.current === null) return;
    const own = new Frames(box.current, (message) => report.current?.(message));
    frames.current = own;
    return () => own.close();
  }, []);
  useLayoutEffect(() => {
    const outer = box.current?.parentElement;
    if (!outer) return;
    const observer = new ResizeObserver(() => {
      outer.style.setProperty('--scale', String(Math.min(1, outer.clientWidth / DESKTOP_WIDTH)));
    });
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (hasPage) frames.current?.update(files);
  }, [files, hasPage]);
  return (
    <div class={`preview ${width}`}>
      {!hasPage && <p class="preview-empty">There is no page to show yet.</p>}
      <div class="preview-frames" ref={box} hidden={!hasPage} />
    </div>
  );
}
