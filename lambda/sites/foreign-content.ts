/** SVG elements whose content is HTML. */
export const HTML_IN_SVG: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title']);

/** HTML elements whose start tag closes open SVG and MathML elements (HTML Standard, 13.2.6.5). */
export const ENDS_FOREIGN_CONTENT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
    'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
