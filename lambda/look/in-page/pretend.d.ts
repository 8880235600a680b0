export function pretend(start: number): void;
