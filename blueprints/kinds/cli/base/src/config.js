/** The name of the command, also used in its help and in the names of its files. */
export const name = '{{command}}';

/** What the list contains. */
export const noun = '{{noun}}';
