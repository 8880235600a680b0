/** The questions. The first answer of each is the right one; the page shuffles them. */
export const questions = '{{questions}}';
