/**
 * Sample data, made up for this page. Replace it by what your source answers, in the same shape:
 * `line` is a value for each label, `bars` too, `ranges` have a low and a high end.
 */
export const numbers = '{{numbers}}';

export const line = '{{line}}';

export const bars = '{{bars}}';

export const ranges = '{{ranges}}';

/** The units of the values above; the first one is shown until another is chosen. */
export const units = '{{units}}';
