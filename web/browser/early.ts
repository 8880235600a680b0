import { SAMPLES } from '../languages.ts';

// Runs before the body is parsed, so that nothing moves afterwards.
const root = document.documentElement;
root.dataset.scripted = '';
try {
  // Deployed pages can share the origin, and with it this storage: its content is not trusted.
  const known = SAMPLES.find(({ id }) => id === localStorage.getItem('ptp-language'));
  if (known) root.dataset.language = known.id;
} catch {
  // Storage can be disabled.
}
