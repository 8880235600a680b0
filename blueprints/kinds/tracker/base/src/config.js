/* #isAmounts */
/**
 * The fields of an entry. The `measured` one is counted: as a sum `per` month or day, or as a last value where `per` is ''.
 * `currency` (ISO 4217) and `unit` (such as kilogram) are those of Intl.NumberFormat; a `goal` is for a day.
 */
/* /isAmounts */
/* #isHabits */
/** The habits of a first visit. */
/* /isHabits */
export const config = '{{config}}';
