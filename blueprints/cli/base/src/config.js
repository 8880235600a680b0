/** The command's name, also in its help and in the name of its file. */
export const name = '{{command}}';

/** What it keeps. */
export const noun = '{{noun}}';
