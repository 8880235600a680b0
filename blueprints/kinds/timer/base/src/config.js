/** The intervals to choose from; those with `counts` add to the sessions of the day. */
export const intervals = '{{intervals}}';

/** Whether a finished interval selects the next one: focus, break, focus, … */
export const alternates = '{{alternates}}';

/** The number of focus intervals before a long break. */
export const roundsToLongBreak = 4;
