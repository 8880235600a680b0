export function pretend(start: number, patience: number): void;
