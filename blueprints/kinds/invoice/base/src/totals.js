/** Rounds to cents. Going through the decimal text avoids that 1.005 is rounded down. */
const round = (value) => Number(`${Math.round(Number(`${value.toPrecision(12)}e2`))}e-2`);

export const amountOf = ({ quantity, price }) => round(quantity * price);

/** Returns the sum of the lines, the tax on it and the total. `rate` is in per cent. */
export function totals(lines, rate) {
  const subtotal = round(lines.reduce((sum, line) => sum + amountOf(line), 0));
  const tax = round((subtotal * rate) / 100);
  return { subtotal, tax, total: round(subtotal + tax) };
}
