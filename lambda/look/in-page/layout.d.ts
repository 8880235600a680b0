/** Something that does not fit where it is. */
export interface Misplaced {
  readonly what: 'overlap' | 'cut' | 'outside';
  /** The texts of it: of an overlap two, of a control its name. */
  readonly texts: readonly string[];
  /** The start tag of the element. */
  readonly element: string;
}

export function findMisplaced(): Misplaced[];
