import { visitorLanguage } from '../../../lambda/platform/visitor-language.ts';
import { testRows } from '../../support/rows.ts';

testRows([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['ja', 'en'],
  ['de', 'de'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['ja, fr-CA;q=0.3, es;q=0.7', 'es'],
  ['en;q=0.1, DE-at', 'de'],
  ['fr;q=0, de;q=0.2', 'de'],
  ['de;q=nonsense, es', 'es'],
])('chooses the language that a browser prefers', (header, expected) => {
  expect(visitorLanguage(header as string | undefined)).toBe(expected);
});
