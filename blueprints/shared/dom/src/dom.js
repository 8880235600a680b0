export const $ = (id) => document.getElementById(id);

/** Creates an element. Properties that it does not have, such as `aria-live`, become attributes. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
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
