import { find, onClick, unfold } from './page.ts';

/** Marks the current section in the contents, and shows the targets of links. */
export function initSections(): void {
  const contents = find('#contents');
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const sections = links.map((link) => find(link.hash));
  const crossing = new Set<Element>();
  const update = () => {
    // The last sections can be too short to reach the line.
    const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const wanted = atEnd
      ? (sections.find((one) => one.matches(':target, :has(:target)')) ?? sections.at(-1))
      : undefined;
    const current = wanted ?? [...crossing][0];
    if (current) mark(contents, links, current.id);
  };
  const note = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) crossing[isIntersecting ? 'add' : 'delete'](target);
    update();
  };
  // A line somewhat below the place where links lead to.
  const observer = new IntersectionObserver(note, { rootMargin: '-15% 0px -84% 0px' });
  for (const section of sections) observer.observe(section);
  addEventListener('scrollend', update);
  addEventListener('hashchange', () => unfold()?.scrollIntoView());
  onClick('#contents a', () => contents.matches(':popover-open') && contents.hidePopover());
}

function mark(contents: HTMLElement, links: readonly HTMLAnchorElement[], id: string): void {
  for (const link of links) link.ariaCurrent = link.hash === `#${id}` ? 'location' : null;
  const { top = 0, bottom = 0 } = links.find((link) => link.ariaCurrent)?.getBoundingClientRect() ?? {};
  const frame = contents.getBoundingClientRect();
  // `scrollIntoView` would scroll the page too.
  if (top < frame.top + 90 || bottom > frame.bottom - 20)
    contents.scrollTop += top - frame.top - frame.height / 2;
}
