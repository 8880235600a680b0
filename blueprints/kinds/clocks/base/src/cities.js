/** The cities of a first visit, with their time zones (IANA). */
export const firstCities = '{{cities}}';

/** Cities whose time zone has the name of another one. */
const others = '{{others}}';

/** Every city that can be found, by name. */
export const zones = new Map([
  ...Intl.supportedValuesOf('timeZone').map((zone) => [zone.split('/').at(-1).replaceAll('_', ' '), zone]),
  ...others.flatMap(({ zone, names }) => names.split(',').map((name) => [name, zone])),
]);

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** Returns the city that a name or its beginning fits, as { name, zone }, or undefined. */
export function findCity(text) {
  const wanted = fold(text);
  const names = [...zones.keys()];
  const name = names.find((one) => fold(one) === wanted) ?? names.find((one) => wanted && fold(one).startsWith(wanted));
  return name && { name, zone: zones.get(name) };
}
