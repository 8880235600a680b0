import { make } from './dom.js';

const PATHS = {
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  remove: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
};

/** Creates a button that shows a picture: edit, remove, back or next. */
export function iconButton(picture, label, onclick) {
  const [svg, path] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', PATHS[picture]);
  svg.append(path);
  return make('button', { type: 'button', className: `icon ${picture}`, ariaLabel: label, title: label, onclick }, svg);
}
