import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert, QUANTITIES } from '../src/units.js';

const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value} is not ${wanted}`);

test('known conversions are right', () => {
  near(convert(1, 'Length', 'mile', 'kilometre'), 1.609344);
  near(convert(12, 'Length', 'inch', 'foot'), 1);
  near(convert(100, 'Temperature', 'degree Celsius', 'degree Fahrenheit'), 212);
  near(convert(-40, 'Temperature', 'degree Fahrenheit', 'degree Celsius'), -40);
  near(convert(0, 'Temperature', 'kelvin', 'degree Celsius'), -273.15);
  near(convert(1, 'Mass', 'pound', 'gram'), 453.59237);
  near(convert(36, 'Speed', 'kilometre per hour', 'metre per second'), 10);
});

test('every unit leads to every other of its quantity and back', () => {
  for (const [quantity, units] of Object.entries(QUANTITIES)) {
    for (const from of Object.keys(units)) {
      for (const to of Object.keys(units)) near(convert(convert(7, quantity, from, to), quantity, to, from), 7);
    }
  }
});
