/** Gives every heading with an id a link to itself, which also copies its address. */
export function offerPermalinks(root) {
  for (const heading of root.querySelectorAll('section > h2[id]')) {
    const link = Object.assign(document.createElement('a'), { href: `#${heading.id}`, className: 'permalink', textContent: '#' });
    link.setAttribute('aria-label', `Link to “${heading.textContent}”`);
    link.addEventListener('click', () => {
      // Without the permission to copy, the address bar still has it.
      navigator.clipboard?.writeText(link.href).then(() => link.setAttribute('data-copied', ''), () => {});
      setTimeout(() => link.removeAttribute('data-copied'), 2000);
    });
    heading.append(' ', link);
  }
}
