import { readWhen } from '../../../blueprints/kit/when.ts';
import { testRows } from '../../support/rows.ts';
import { file, load, project } from './prompts.ts';

describe('the date of an event', () => {
  testRows([
    ['on 12 June 2027', [2027, 6, 12, 15, 0]],
    ['am 3. Mai um 18:30 Uhr', [0, 5, 3, 18, 30]],
    ['el 14 de junio de 2027 a las 17:00', [2027, 6, 14, 17, 0]],
    ['le 1er août 2027 à 14h30', [2027, 8, 1, 14, 30]],
    ['em 7 de dezembro às 20h', [0, 12, 7, 20, 0]],
    ['March 3rd, 2027 at 3:30 pm', [2027, 3, 3, 15, 30]],
    ['2027-10-02 at noon', [2027, 10, 2, 15, 0]],
    ['24.12.2027, 12 am', [2027, 12, 24, 0, 0]],
  ])('is read from the prompt', (text, [year, month, day, hour, minute]) => {
    expect(readWhen(text)).toEqual({ year, month, day, hour, minute, isSample: false });
  });

  testRows(['', 'on 45 June', '99.99.2027', 'maybe'])('is a sample without one in the prompt', (text) => {
    expect(readWhen(text)).toMatchObject({ month: 6, day: 12, isSample: true });
  });
});

testRows([
  ['wedding invitation for Emma & Luis, 12 June 2027, Quinta da Serra, with RSVP', 'Emma & Luis', 'Quinta da Serra'],
  ['Einladung zum 40. Geburtstag von Katrin am 3. Mai in Hamburg, mit Absage', '40. Geburtstag von Katrin', 'Hamburg'],
  ["invitation for my son Leo's 7th birthday on March 3rd at the Old Mill", 'Leo turns 7', 'the Old Mill'],
  ['convite de casamento da Sofia e do Pedro', 'Sofia & Pedro', 'O local será anunciado'],
])('is titled and placed by its prompt', async (prompt, title, place) => {
  const { event } = await load(file(project(prompt), 'src/event.js'));
  expect(event).toMatchObject({ title, place });
});
