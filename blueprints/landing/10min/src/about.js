/** What the options dialog tells about this page. */
export const keys = [['Tab', 'Go through links and fields']];

export const keepsData = true;
