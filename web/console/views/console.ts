import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ConsoleData } from '../data.ts';
import type { Context } from '../effects/context.ts';
import type { Action } from '../state/actions.ts';
import type { OpenProject, State } from '../state/types.ts';

interface Console {
  readonly state: State;
  readonly dispatch: (action: Action) => void;
  readonly context: Context;
  readonly data: ConsoleData;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

/** Returns what every component of the page uses. */
export function useConsole(): Console {
  const value = useContext(ConsoleContext);
  if (!value) throw new Error('The component is not in the console');
  return value;
}

/** Returns the project that is shown. */
export function useProject(): OpenProject {
  const { project } = useConsole().state;
  if (!project) throw new Error('No project is open');
  return project;
}

/** Returns the Unix time in milliseconds, every `ms` anew while it is needed. */
export function useNow(isNeeded = true, ms = 1_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [isNeeded, ms]);
  return now;
}

/** Whether the page is wide enough for the conversation beside the project. */
export function useWide(): boolean {
  const query = '(min-width: 60rem)';
  const [isWide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setWide(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, []);
  return isWide;
}

/** Writes a duration as minutes and seconds. */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Writes a size in bytes or characters. */
export const kilobytes = (size: number) => `${(size / 1_024).toFixed(1)}\u00a0KB`;

/** Writes a Unix time in milliseconds. */
export const dateTime = (ms: number, timeStyle: 'short' | 'medium' = 'short') =>
  new Date(ms).toLocaleString('en', { dateStyle: 'medium', timeStyle });

export const date = (ms: number) => new Date(ms).toLocaleDateString('en', { dateStyle: 'medium' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en');

/** Writes how far away a time is: `in 30 days`, `in 5 hours`. Both are Unix times in milliseconds. */
export function timeUntil(end: number, now: number): string {
  const ms = Math.max(0, end - now);
  const [unit, length] = UNITS.find(([, long]) => ms >= 1.5 * long) ?? (['minute', 60_000] as const);
  return RELATIVE.format(Math.max(1, Math.round(ms / length)), unit);
}

export const plural = (count: number, noun: string, nouns = `${noun}s`) =>
  `${count.toLocaleString('en')}\u00a0${count === 1 ? noun : nouns}`;
