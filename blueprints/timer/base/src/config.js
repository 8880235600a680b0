/** The intervals to choose from; `counts` marks the ones that are work done. */
export const intervals = '{{intervals}}';

/** Whether a finished interval leads on to the next: focus, break, focus, … */
export const alternates = '{{alternates}}';

/** How many focus intervals earn the long break. */
export const roundsToLongBreak = 4;
