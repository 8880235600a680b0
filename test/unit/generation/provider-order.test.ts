import { PROVIDER_NAMES, type ProviderName } from '../../../lambda/contract/generate.ts';
import type { Averages, Lately } from '../../../lambda/generation/generation.ts';
import type { ConfiguredProviders } from '../../../lambda/generation/provider-order.ts';
import { providerOrder } from '../../../lambda/generation/provider-order.ts';
import { testRows } from '../../support/rows.ts';

const NOW = 10_000_000;
const UNKNOWN = { cooling: {}, lately: {} };
const [A, B, C, D] = PROVIDER_NAMES;

const stage = (more: Partial<ConfiguredProviders> = {}): ConfiguredProviders => ({
  names: PROVIDER_NAMES,
  routing: 'order',
  traits: {},
  ...more,
});
const embedded = (...names: ProviderName[]) => ({
  traits: Object.fromEntries(names.map((name) => [name, { model: 'blueprint', isEmbedded: true }])),
});
const averages = (more: Partial<Averages>): Averages => ({ failures: 0, at: NOW, ...more });

testRows([
  ['auto', PROVIDER_NAMES, [A, B, C, D]],
  [C, PROVIDER_NAMES, [C, A, B, D]],
  [D, [A, B], [A, B]],
  [B, [A, B], [B, A]],
] as const)('orders the configured providers', (model, names, order) => {
  expect(providerOrder(model, stage({ names }), UNKNOWN, NOW)).toEqual(order);
});

it('orders providers that are cooling down last, except for a requested one', () => {
  const health = { cooling: { [A]: NOW + 1, [C]: NOW + 1 }, lately: {} };
  expect(providerOrder('auto', stage(), health, NOW)).toEqual([B, D, A, C]);
  expect(providerOrder(C, stage(), health, NOW)[0]).toBe(C);
});

describe('an order that learns', () => {
  const all: Lately = {
    [A]: averages({ firstFileMs: 9_000, cost: 100 }),
    [B]: averages({ firstFileMs: 3_000, cost: 900 }),
    [C]: averages({ firstFileMs: 5_000, cost: 500 }),
    [D]: averages({ firstFileMs: 7_000, cost: 300 }),
  };
  const order = (routing: ConfiguredProviders['routing'], lately: Lately, more = {}, draw?: number) =>
    providerOrder('auto', stage({ routing, ...more }), { cooling: {}, lately }, NOW, draw);

  it('begins with the fastest, or the cheapest', () => {
    expect(order('fastest', all)).toEqual([B, C, D, A]);
    expect(order('cheapest', all)).toEqual([A, D, C, B]);
    expect(order('order', all)).toEqual([A, B, C, D]);
  });

  it('counts the time of attempts that fail', () => {
    const failing = { ...all, [B]: averages({ firstFileMs: 3_000, failures: 0.5 }) };
    expect(order('fastest', failing)).toEqual([C, B, D, A]);
  });

  it('keeps the configured place of unknown and of embedded providers', () => {
    const { [B]: _, ...unknown } = all;
    expect(order('fastest', unknown)).toEqual([C, B, D, A]);
    expect(order('fastest', all, embedded(B))).toEqual([C, B, D, A]);
  });

  it('compares costs by the price until there is an average', () => {
    const priced = (usualCost: number) => ({ model: 'm', isEmbedded: false, usualCost });
    const traits = { [A]: priced(400), [B]: priced(200), [C]: priced(0) };
    expect(order('cheapest', { [B]: averages({ cost: 900 }) }, { traits })).toEqual([C, A, B, D]);
  });

  it('puts a provider that has only failed behind those that are known', () => {
    const failed = averages({ failures: 1 });
    expect(order('fastest', { [A]: failed, [B]: averages({ firstFileMs: 9_000 }) })).toEqual([B, A, C, D]);
  });

  it('puts the cooling ones last', () => {
    const health = { cooling: { [B]: NOW + 1 }, lately: all };
    expect(providerOrder('auto', stage({ routing: 'fastest' }), health, NOW)).toEqual([C, D, A, B]);
  });

  it('begins with each provider that it knows too little of in a share of an eighth of the generations', () => {
    const old = { ...all, [A]: averages({ firstFileMs: 9_000, at: NOW - 3_600_001 }) };
    const { [D]: _, ...known } = old;
    const draws = Array.from({ length: 160 }, (__, i) => i / 160);
    const firsts = draws.map((draw) => order('fastest', known, {}, draw)[0]);
    const count = (name: ProviderName) => firsts.filter((first) => first === name).length;
    expect([count(A), count(B), count(C), count(D)]).toEqual([10, 140, 0, 10]);
    expect(draws.map((draw) => order('fastest', all, {}, draw)[0])).not.toContain(A);
    expect(order('order', known, {}, 0)).toEqual([A, B, C, D]);
    expect(order('fastest', known, embedded(A, D), 0)[0]).not.toBe(D);
  });
});
