/** An element that is shown as browsers show it without a style sheet. */
export interface Unstyled {
  readonly what: 'skip' | 'button' | 'drawing' | 'stuck';
  /** Its start tag. */
  readonly element: string;
  /** The classes of which a style sheet would have to name one. */
  readonly classes: readonly string[];
  /** The number of elements with the first class. */
  readonly count: number;
  /** The texts that stick together. */
  readonly texts?: readonly string[];
}

export function isStyledElsewhere(): boolean;
export function findUnstyled(): Unstyled[];
