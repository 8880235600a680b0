import { undocumented, undocumentedEvent } from '../documented.ts';

/** Differences between responses and the published description of the API, since the last test ended. */
const differences: string[] = [];

/** Notes how a response differs from the description; the running test then fails. */
export function checkResponse(...exchange: Parameters<typeof undocumented>): void {
  differences.push(...undocumented(...exchange));
}

/** Notes how a server-sent event differs from the description. */
export function checkEvent(...event: Parameters<typeof undocumentedEvent>): void {
  differences.push(...undocumentedEvent(...event));
}

/** Returns the differences, and forgets them. */
export const takeDifferences = (): string[] => differences.splice(0);
