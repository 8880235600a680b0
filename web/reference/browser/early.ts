import { SAMPLES } from '../languages.ts';
import { initPage, unfold } from './page.ts';

// Runs before the body is parsed, so that nothing moves after it was painted.
const root = document.documentElement;
root.dataset.scripted = '';
try {
  // Deployed pages can share the origin, and with it this storage: its content is not trusted.
  const known = SAMPLES.find(({ id }) => id === localStorage.getItem('ptp-language'));
  if (known) root.dataset.language = known.id;
} catch {
  // Storage can be disabled.
}

/** Puts the origin of the page into its code, and shows the target of the URL. */
const complete = () => {
  for (const base of document.querySelectorAll('[data-base]')) base.replaceWith(location.origin);
  unfold();
};
const observer = new MutationObserver(complete);
observer.observe(root, { childList: true, subtree: true });
addEventListener('DOMContentLoaded', () => {
  observer.disconnect();
  complete();
});
initPage();
