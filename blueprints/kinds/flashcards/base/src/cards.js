/** The cards to begin with. Those that are added on the page are stored in the browser. */
export const cards = '{{cards}}';
