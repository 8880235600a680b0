/** What the options dialog tells about this page. */
export const keys = [
  ['← →', 'Read the curve, point by point'],
  ['Home', 'Its first point'],
  ['End', 'Its last point'],
];

export const keepsData = true;
