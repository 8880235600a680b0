/** Stands for the base URL in code; the page replaces it with its own origin, which only the browser knows. */
export const BASE = '$BASE';

export type Language = 'shell' | 'javascript' | 'python' | 'json' | 'http';

/** The languages of samples, in the order of their tabs. The first one is shown until the reader chooses another. */
export const SAMPLES = [
  { id: 'curl', label: 'curl', language: 'shell' },
  { id: 'client', label: 'JavaScript', language: 'javascript' },
  { id: 'fetch', label: 'fetch', language: 'javascript' },
  { id: 'python', label: 'Python', language: 'python' },
] as const satisfies readonly { id: string; label: string; language: Language }[];

export type SampleId = (typeof SAMPLES)[number]['id'];
