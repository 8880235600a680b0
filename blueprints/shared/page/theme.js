// Loaded before the first paint, so that a stored theme never flashes.
(() => {
  const root = document.documentElement;
  const key = `${new URL('.', location.href).pathname}theme`;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme === 'auto' ? system.matches : root.dataset.theme === 'dark');

  try {
    root.dataset.theme = localStorage.getItem(key) ?? root.dataset.theme;
  } catch {
    // Storage is not available: the page keeps its default theme.
  }

  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('#theme-toggle');
    const show = () => button.setAttribute('aria-pressed', String(isDark()));
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      show();
      try {
        localStorage.setItem(key, root.dataset.theme);
      } catch {
        // The choice lasts until the page is closed.
      }
    });
    system.addEventListener('change', show);
    show();
    button.hidden = false;
  });
})();
