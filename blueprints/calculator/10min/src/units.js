/** Each unit as [factor, offset] of the quantity's base unit: base = value × factor + offset. */
export const QUANTITIES = {
  Length: {
    metre: [1, 0],
    kilometre: [1000, 0],
    centimetre: [0.01, 0],
    millimetre: [0.001, 0],
    mile: [1609.344, 0],
    yard: [0.9144, 0],
    foot: [0.3048, 0],
    inch: [0.0254, 0],
  },
  Mass: {
    kilogram: [1, 0],
    gram: [0.001, 0],
    tonne: [1000, 0],
    pound: [0.45359237, 0],
    ounce: [0.028349523125, 0],
  },
  Temperature: {
    'degree Celsius': [1, 0],
    'degree Fahrenheit': [5 / 9, -160 / 9],
    kelvin: [1, -273.15],
  },
  Volume: {
    litre: [1, 0],
    millilitre: [0.001, 0],
    'cubic metre': [1000, 0],
    'US gallon': [3.785411784, 0],
    'US cup': [0.2365882365, 0],
    'imperial pint': [0.56826125, 0],
  },
  Speed: {
    'kilometre per hour': [1 / 3.6, 0],
    'metre per second': [1, 0],
    'mile per hour': [0.44704, 0],
    knot: [1852 / 3600, 0],
  },
};

/** A value in another unit of the same quantity. */
export function convert(value, quantity, from, to) {
  const [factor, offset] = QUANTITIES[quantity][from];
  const [otherFactor, otherOffset] = QUANTITIES[quantity][to];
  return (value * factor + offset - otherOffset) / otherFactor;
}
