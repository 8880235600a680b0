/** The index of the last top at or above a line, or -1: which section is being read. All in pixels. */
export const currentIndex = (tops, line) => tops.findLastIndex((top) => top <= line);

/** Keeps `aria-current` on the link whose section is being read. */
export function followSections(links) {
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    const tops = sections.map((section) => section.getBoundingClientRect().top);
    // A short last section never reaches the line: at the end of the page it is the one.
    const atEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = atEnd ? links.length - 1 : currentIndex(tops, innerHeight / 3);
    links.forEach((link, index) => link.setAttribute('aria-current', String(index === current)));
    // Where the links do not fit side by side, the current one is brought into sight.
    links[current]?.parentElement.scrollTo({ left: links[current].offsetLeft - innerWidth / 3 });
  };
  addEventListener('scroll', mark, { passive: true });
  addEventListener('resize', mark);
  mark();
}
