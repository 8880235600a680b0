/**
 * Sample data. Replace it with your own in the same shape: `line` and `bars` have a value for each label,
 * `ranges` have a low and a high end. A period shows its numbers, and the last `days` values of the line (0 for all).
 */
export const periods = '{{periods}}';

export const line = '{{line}}';

export const bars = '{{bars}}';

export const ranges = '{{ranges}}';

/** The units of the values above; the first one is shown until another is chosen. */
export const units = '{{units}}';
