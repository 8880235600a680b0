/** Something that does not fit where it is. */
export interface Misplaced {
  readonly what: 'overlap' | 'cut' | 'outside' | 'touching' | 'beyond' | 'revealed';
  /** The texts of it: of an overlap two, of a control its name, or that of the heading. */
  readonly texts: readonly string[];
  /** The start tag of the element: of the list below a heading, of the box that a control leaves. */
  readonly element: string;
}

export function findMisplaced(): Misplaced[];
