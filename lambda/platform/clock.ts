/** Unix time in milliseconds. Passed in wherever time decides something. */
export type Clock = () => number;
