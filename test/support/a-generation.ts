import type { Attempt, Generation } from '../../lambda/generation/generation.ts';

/** Returns a generation of `provider-a` that has just begun, with other fields. */
export function aGeneration(more: Partial<Generation> = {}): Generation {
  return {
    id: 'j',
    status: 'running',
    prompt: 'a page',
    model: 'auto',
    duration: 'auto',
    createdAt: 0,
    requestHash: '',
    attempt: 1,
    execution: 'j-1',
    kind: 'write',
    provider: 'provider-a',
    remaining: [],
    failedLately: [],
    log: [{ type: 'queued', at: 0 }],
    ...more,
  };
}

/** Returns the entry of an attempt of `provider-a` in the log. */
export function anAttempt(attempt: number, more: Partial<Attempt> = {}) {
  const provider = { provider: 'provider-a', model: 'provider-a/m' } as const;
  return { type: 'attempt', attempt, ...provider, kind: 'write', startedAt: 1, ...more } as const;
}

/** Returns the entry of a file of the first attempt in the log. */
export function aFile(
  path: string,
  more: { characters?: number; bytes?: number; attempt?: number; key?: string } = {},
) {
  return { type: 'file', path, language: 'html', bytes: 1, characters: 1, key: path, attempt: 1, ...more } as const;
}
