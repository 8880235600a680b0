/**
 * Sample data. Replace it with your own in the same shape: `line` and `bars` have a value for each label,
 * `ranges` have a low and a high end.
 */
export const numbers = '{{numbers}}';

export const line = '{{line}}';

export const bars = '{{bars}}';

export const ranges = '{{ranges}}';

/** The units of the values above; the first one is shown until another is chosen. */
export const units = '{{units}}';
