// Loaded before the page is painted, so that a stored choice of theme never flashes.
(() => {
  const root = document.documentElement;
  const key = `${new URL('.', location.href).pathname}theme`;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme === 'auto' ? system.matches : root.dataset.theme === 'dark');

  try {
    root.dataset.theme = localStorage.getItem(key) ?? root.dataset.theme;
  } catch {
    // Storage is refused: the page keeps the theme it was written with.
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
        // The choice lasts until the page is left.
      }
    });
    system.addEventListener('change', show);
    show();
    button.hidden = false;
  });
})();
