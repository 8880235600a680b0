/** Looks at the site behind a presigned URL. */
export const handler = async (): Promise<unknown> => ({ looked: false, reason: 'There is no browser' });
