/** Returns Unix time in milliseconds. */
export type Clock = () => number;
