/** The currency (ISO 4217), the tax rate in per cent, and the names and lines of a first visit. */
export const config = '{{config}}';
