export const $ = (id) => document.getElementById(id);

/** Makes an element with properties, such as `ariaLabel`, and children. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Calls a function for a key, unless a control that uses keys has the focus. */
export function onKey(key, action) {
  document.addEventListener('keydown', (event) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('button, input, select, textarea, canvas')) return;
    event.preventDefault();
    action();
  });
}
