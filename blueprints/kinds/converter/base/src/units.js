import { rates } from './rates.js';

/** The measures: each unit with its size in the base unit of its measure. Names are those of Intl.NumberFormat where it has them. */
export const measures = {
  length: { kilometer: 1000, mile: 1609.344, meter: 1, centimeter: 0.01, millimeter: 0.001, yard: 0.9144, foot: 0.3048, inch: 0.0254 },
  weight: { kilogram: 1, pound: 0.45359237, tonne: 1000, gram: 0.001, ounce: 0.028349523125, stone: 6.35029318 },
  temperature: { celsius: 1, fahrenheit: 5 / 9, kelvin: 1 },
  volume: {
    liter: 1, gallon: 3.785411784, milliliter: 0.001, cup: 0.2365882365, tablespoon: 0.01478676478125, teaspoon: 0.00492892159375, 'fluid-ounce': 0.0295735295625,
  },
  speed: { 'kilometer-per-hour': 1 / 3.6, 'mile-per-hour': 0.44704, 'meter-per-second': 1, knot: 1852 / 3600 },
  data: { megabyte: 1e6, gigabyte: 1e9, bit: 0.125, byte: 1, kilobyte: 1000, terabyte: 1e12, petabyte: 1e15 },
  currency: Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, 1 / rate])),
};

/** What a temperature of 0 is in degrees Celsius. Other units begin at the same zero. */
const ZERO = { fahrenheit: -160 / 9, kelvin: -273.15 };

/** Converts a value from one unit of a measure to another. */
export function convert(value, measure, from, to) {
  const base = value * measures[measure][from] + (ZERO[from] ?? 0);
  return (base - (ZERO[to] ?? 0)) / measures[measure][to];
}
