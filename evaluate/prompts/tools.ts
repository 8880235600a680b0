import { category } from './prompt.ts';
import { hold, type Visitor } from './visitor.ts';

const REMOVE =
  /delete|remove|discard|✕|×|lösch|entfern|elimin|borrar|quitar|supprim|retirer|exclu|remov|apagar/i;
const NOTE = /descr|what|note|name|title|for\b|item|text|concept|zweck|notiz|nota|libell/i;

/** Removes an entry by a control that names it, or by the first of several. */
async function removes(visitor: Visitor, entry: RegExp): Promise<void> {
  const row = visitor.page
    .locator('li, tr, article, [role=listitem], [role=row]')
    .filter({ hasText: entry, visible: true });
  if ((await row.count()) > 0) await row.last().hover();
  const inRow = row.last().getByRole('button', { name: REMOVE });
  if ((await row.count()) > 0 && (await inRow.count()) > 0) await inRow.first().click();
  else await visitor.presses(REMOVE);
  const dialog = visitor.page.getByRole('dialog').filter({ visible: true });
  if ((await dialog.count()) > 0) await dialog.getByRole('button', { name: REMOVE }).first().click();
}

/** Three bars below each other, of which the second is about three times as long as the others. */
async function hasPhases(visitor: Visitor): Promise<boolean> {
  const bars = await visitor.page.evaluate<{ x: number; y: number; width: number }[]>('visitor.bars()');
  const near = (ratio: number, expected: number) => Math.abs(ratio / expected - 1) < 0.2;
  return bars.some((first) =>
    bars.some(
      (second) =>
        second.y > first.y + 5 &&
        second.x > first.x &&
        near(second.width / first.width, 3) &&
        bars.some(
          (third) => third.y > second.y + 5 && third.x > second.x && near(third.width / first.width, 1),
        ),
    ),
  );
}

const chart = (visitor: Visitor) =>
  visitor.until(
    async () =>
      (await visitor.page
        .locator('svg:has(path, line, rect, polyline, circle), canvas, meter')
        .filter({ visible: true })
        .count()) > 0,
    'no chart is seen',
  );

export const TOOLS = category('tools', {
  expenses: [
    'something to track what I spend',
    {
      'adds expenses': async (visitor) => {
        await visitor.enters({ text: 'Coffee', number: '12.50', name: NOTE });
        await visitor.sees(/12[.,]50?/);
        await visitor.enters({ text: 'Bus', number: '7.50', name: NOTE });
        await visitor.sees(/7[.,]50?/);
      },
      'shows their total': (visitor) => visitor.sees(/20[.,]00|\b20\b/),
      'they are still there after a reload': async (visitor) => {
        await visitor.reloads();
        await visitor.sees(/12[.,]50?/, /20[.,]00|\b20\b/);
      },
      'one is deleted': async (visitor) => {
        await removes(visitor, /12[.,]50?/);
        await visitor.misses(/12[.,]50?/);
        await visitor.sees(/7[.,]50?/);
      },
    },
  ],
  'expenses-es': [
    'una app para registrar mis gastos con categorías: comida, transporte, casa',
    {
      'has the categories': (visitor) =>
        visitor.page.evaluate<string>('document.body.textContent').then((text) => {
          for (const name of ['comida', 'transporte', 'casa'])
            hold(text.toLowerCase().includes(name), `no category ${name}`);
        }),
      'adds an expense': async (visitor) => {
        await visitor.enters({ text: 'Metro', number: '2.40', name: NOTE });
        await visitor.sees(/2[.,]40?/);
      },
      'it is still there after a reload': async (visitor) => {
        await visitor.reloads();
        await visitor.sees(/2[.,]40?/);
      },
      'the text is Spanish': (visitor) => visitor.speaks('es'),
    },
  ],
  habits: [
    'habit tracker with streaks: read, run, meditate',
    {
      'lists the habits': (visitor) => visitor.sees(/read/i, /run/i, /meditate/i),
      'marks one as done': async (visitor) => {
        const before = await visitor.picture();
        // One control for each day, or a single one; pages are opened on 15 January.
        const names = /read.*(?:today|\b15\b)|(?:today|\b15\b).*read/i;
        const row = visitor.page.locator('li, tr, article, [role=listitem], [role=row], section');
        const ofRow = row.filter({ hasText: /read/i, visible: true }).last();
        const box = ofRow.locator('input[type=checkbox], [role=checkbox], button').filter({ visible: true });
        if (await visitor.control(names)) await visitor.presses(names);
        else if ((await box.count()) > 0) await box.first().click();
        else await visitor.presses(/read/i);
        await visitor.until(async () => (await visitor.picture()) !== before, 'nothing changes');
      },
      'shows the streak': (visitor) =>
        visitor.sees(/\b1[\s-]*day|streak\D{0,10}1\b|\b1\D{0,10}streak|🔥\s*1\b/i),
      'the streak is still there after a reload': async (visitor) => {
        await visitor.reloads();
        await visitor.sees(/\b1[\s-]*day|streak\D{0,10}1\b|\b1\D{0,10}streak|🔥\s*1\b/i);
      },
    },
  ],
  'weight-de': [
    'Ich möchte jeden Tag mein Gewicht eintragen und den Verlauf als Kurve sehen',
    {
      'adds a weight': async (visitor) => {
        await visitor.enters({ number: '82.4' });
        await visitor.sees(/82,4/);
      },
      'draws a chart': chart,
      'it is still there after a reload': async (visitor) => {
        await visitor.reloads();
        await visitor.sees(/82,4/);
      },
      'the text is German': (visitor) => visitor.speaks('de'),
    },
  ],
  gantt: [
    'gantt chart for a website relaunch: design 2 weeks, development 6 weeks, test 2 weeks',
    {
      'names the phases': (visitor) => visitor.sees(/design/i, /development/i, /test/i),
      'their bars are 2, 6 and 2 weeks long, one after the other': (visitor) =>
        visitor.until(() => hasPhases(visitor), 'no bars of these lengths are seen'),
      'a phase is added, and still there after a reload': async (visitor) => {
        await visitor.enters({ text: 'Launch party', name: /name|title|task|phase|what/i });
        await visitor.sees(/Launch party/);
        await visitor.reloads();
        await visitor.sees(/Launch party/);
      },
    },
  ],
  'invoice-fr': [
    'une facture pour Dupont SARL : 12 heures de conseil à 80 €, TVA 20 %, à imprimer',
    {
      'names the customer': (visitor) => visitor.sees(/Dupont SARL/),
      'computes the total with tax': (visitor) => visitor.sees(/1[\s\u202f\u00a0.,]?152[.,]00/),
      'another quantity changes the total': async (visitor) => {
        const fields = visitor.page.locator('input').filter({ visible: true });
        for (const field of await fields.all()) {
          if (!/^12(?:[.,]0+)?$/.test(await field.inputValue())) continue;
          await field.fill('10');
          await field.blur();
          return visitor.sees(/960[.,]00/);
        }
        throw new Error('no field has the quantity 12');
      },
      'is printed': (visitor) => visitor.prints(/imprim|pdf/i),
      'the text is French': (visitor) => visitor.speaks('fr'),
    },
  ],
  units: [
    'unit converter: km to miles, kg to pounds, celsius to fahrenheit',
    {
      '10 kilometres are 6.21 miles': async (visitor) => {
        await visitor.chooses(/^length|^distance/i);
        await visitor.mayPress(/^length|^distance/i);
        await visitor.numberField().or(visitor.textField()).first().fill('10');
        await visitor.mayPress(/^convert/i);
        await visitor.sees(/6[.,]21/);
      },
      'has the other units': (visitor) =>
        visitor.page.evaluate<string>('document.body.textContent').then((text) => {
          hold(/pound|\blbs?\b/i.test(text) || /weight|mass/i.test(text), 'no pounds');
          hold(/fahrenheit|°F/i.test(text) || /temperature/i.test(text), 'no Fahrenheit');
        }),
    },
  ],
  'currency-de': [
    'Währungsrechner Euro in Dollar und Pfund',
    {
      'converts an amount': async (visitor) => {
        await visitor.numberField().or(visitor.textField()).first().fill('250');
        await visitor.mayPress(/umrechnen/i);
        await visitor.sees(/\b(?:2[6-9]\d|3[0-4]\d)\b/);
      },
      'says how old the rates are': (visitor) =>
        visitor.sees(/beispiel|\bstand\b|nicht live|nicht aktuell|kurse? (?:vom|von|aus)|richtwert/i),
      'the text is German': (visitor) => visitor.speaks('de'),
    },
  ],
  clocks: [
    'world clock with Berlin, New York and Tokyo',
    {
      'names the cities': (visitor) => visitor.sees(/Berlin/, /New York/, /Tokyo/),
      // Every page is opened at noon UTC on 15 January 2026.
      'shows their times': (visitor) =>
        visitor.sees(
          /13:\d\d|\b0?1:\d\d(?::\d\d)?\s?pm/i,
          /21:\d\d|\b0?9:\d\d(?::\d\d)?\s?pm/i,
          /\b0?7:\d\d/,
        ),
      'the clocks run': async (visitor) => {
        await visitor.page.clock.fastForward('01:00:00');
        await visitor.sees(/14:\d\d|\b0?2:\d\d(?::\d\d)?\s?pm/i);
      },
    },
  ],
  pomodoro: [
    'a pomodoro timer: 25 minutes focus, 5 minutes break',
    {
      'begins at 25 minutes': (visitor) => visitor.sees(/25:00/),
      'counts down': async (visitor) => {
        await visitor.presses(/start|begin|play/i);
        await visitor.waits(65);
        await visitor.sees(/23:5\d/);
      },
      'can be paused': async (visitor) => {
        await visitor.presses(/pause|stop/i);
        const before = /\d\d:\d\d/.exec(await visitor.shown())?.[0];
        await visitor.waits(20);
        hold(/\d\d:\d\d/.exec(await visitor.shown())?.[0] === before, 'it counts on');
      },
      'the break follows': async (visitor) => {
        await visitor.presses(/resume|start|continue|play/i);
        await visitor.waits(24 * 60);
        await visitor.sees(/break|0?5:00|0?4:\d\d/i);
      },
    },
  ],
  'timer-es': [
    'Quiero un temporizador de cocina de 10 minutos',
    {
      'begins at 10 minutes': (visitor) => visitor.sees(/10:00/),
      'counts down': async (visitor) => {
        await visitor.presses(/^(?:iniciar|empezar|comenzar|start)/i);
        await visitor.waits(65);
        await visitor.sees(/0?8:5\d/);
      },
      'the text is Spanish': (visitor) => visitor.speaks('es'),
    },
  ],
  todo: [
    'to-do list app',
    {
      'adds tasks': async (visitor) => {
        await visitor.enters({ text: 'Water the ficus', name: /task|to-?do|item|what|add|new/i });
        await visitor.enters({ text: 'Call Aunt Rosa', name: /task|to-?do|item|what|add|new/i });
        await visitor.sees(/Water the ficus/, /Call Aunt Rosa/);
      },
      'marks one as done, and keeps it': async (visitor) => {
        const done = () =>
          visitor.page
            .locator('input[type=checkbox]:checked, [role=checkbox][aria-checked=true], [aria-pressed=true]')
            .filter({ visible: true })
            .count();
        const before = await done();
        const boxes = visitor.page.getByRole('checkbox').filter({ visible: true });
        const named = visitor.page.getByRole('checkbox', { name: /ficus/ }).filter({ visible: true });
        await ((await named.count()) > 0 ? named : boxes).first().click();
        await visitor.until(async () => (await done()) > before, 'the task is not marked');
        await visitor.reloads();
        await visitor.sees(/Water the ficus/, /Call Aunt Rosa/);
        hold((await done()) > before, 'the mark is lost by a reload');
      },
      'one is deleted': async (visitor) => {
        // Names of tasks may be values of fields, which no text filter finds.
        const named = visitor.page.getByRole('button', { name: /(?:delete|remove).*Rosa/i });
        if ((await named.count()) > 0) await named.first().click({ force: true });
        else await removes(visitor, /Rosa/);
        await visitor.misses(/Call Aunt Rosa/);
        await visitor.sees(/Water the ficus/);
      },
    },
  ],
  'shopping-pt': [
    'lista de compras com leite, pão, café e bananas',
    {
      'lists the products': (visitor) => visitor.sees(/leite/i, /pão/i, /café/i, /bananas/i),
      'adds another, and keeps it': async (visitor) => {
        await visitor.enters({ text: 'Azeite', name: /item|produto|nov|adicion/i });
        await visitor.sees(/Azeite/);
        await visitor.reloads();
        await visitor.sees(/Azeite/, /leite/i);
      },
      'the text is Portuguese': (visitor) => visitor.speaks('pt'),
    },
  ],
  kanban: [
    'kanban board with columns Backlog, Doing, Done and cards: write press release, order flyers',
    {
      'has the columns and cards': (visitor) =>
        visitor.sees(/Backlog/i, /Doing/i, /Done/i, /write press release/i, /order flyers/i),
      'a card is dragged to another column, and stays there': async (visitor) => {
        const card = visitor.page
          .getByText(/order flyers/i)
          .filter({ visible: true })
          .last();
        const x = async () => (await card.boundingBox())?.x ?? 0;
        const before = await x();
        const target = await visitor.page
          .getByText(/^\s*Doing/i)
          .filter({ visible: true })
          .first()
          .boundingBox();
        hold(target, 'the column Doing has no place');
        await card.dispatchEvent('pointerover');
        await card.hover();
        await visitor.page.mouse.down();
        await visitor.page.mouse.move(target.x + 30, target.y + 40, { steps: 8 });
        await visitor.page.mouse.move(target.x + 34, target.y + 60, { steps: 4 });
        await visitor.page.mouse.up();
        await visitor.until(async () => Math.abs((await x()) - before) > 50, 'the card stays where it was');
        const after = await x();
        await visitor.reloads();
        await visitor.until(
          async () => Math.abs((await x()) - after) < 10,
          'the card is elsewhere after a reload',
        );
      },
      'a card is added': async (visitor) => {
        await visitor.enters({ text: 'Book the band', name: /card|task|new|add|title/i });
        await visitor.sees(/Book the band/);
      },
    },
  ],
  calculator: [
    'a calculator',
    {
      '12.5 × 4 is 50, by buttons': async (visitor) => {
        const keys = [
          /^1$/,
          /^2$/,
          /^(?:\.|,|decimal|point|dot|decimal point)$/i,
          /^5$/,
          /^(?:×|\*|x|times|multiply|⋅)/i,
          /^4$/,
          /^(?:=|equals?|enter|calculate)/i,
        ];
        for (const key of keys) await visitor.presses(key);
        await visitor.sees(/(?<![\d.])50(?![\d.])/);
      },
      '7 × 6 is 42, by keyboard': async (visitor) => {
        await visitor.mayPress(/^(?:c|ac|ce|clear|all clear)$/i);
        await visitor.page.keyboard.press('Escape');
        await visitor.page.keyboard.type('7*6');
        await visitor.page.keyboard.press('Enter');
        await visitor.sees(/(?<![\d.])42(?![\d.])/);
      },
      'division by zero is no number': async (visitor) => {
        await visitor.page.keyboard.press('Escape');
        await visitor.page.keyboard.type('8/0');
        await visitor.page.keyboard.press('Enter');
        await visitor.sees(/error|cannot|can't|undefined|∞|infinity|zero|not a number/i);
      },
    },
  ],
  notes: [
    'a place to jot down thoughts, with search',
    {
      'a note is written and kept': async (visitor) => {
        await visitor.mayPress(/new|add|create|\+/i);
        const fields = visitor.page.locator('textarea, [contenteditable=true]').filter({ visible: true });
        await visitor.until(async () => (await fields.count()) > 0, 'there is no field for a note');
        await fields.last().fill('Llamas hum when they worry');
        await visitor.waits(2);
        await visitor.mayPress(/^(?:save|done|add(?: note)?)$/i);
        await visitor.reloads();
        await visitor.sees(/Llamas hum/);
      },
      'is found by a word': async (visitor) => {
        const search = visitor.page
          .getByRole('searchbox')
          .or(visitor.fields(/search|find|filter/i))
          .filter({ visible: true })
          .first();
        const found = async (word: string) => {
          await search.fill(word);
          await visitor.waits(1);
          return (await visitor.shown()).split('Llamas').length;
        };
        // The note itself may stay open beside the list.
        hold((await found('zebra')) < (await found('llamas')), 'the search for another word finds it, too');
        await visitor.sees(/Llamas hum/);
      },
    },
  ],
  dashboard: [
    'sales dashboard for an online shop: revenue, orders and top products, for the last 7 or 30 days',
    {
      'shows the figures': (visitor) =>
        visitor.sees(/revenue[\s\S]{0,60}\d/i, /orders[\s\S]{0,60}\d/i, /products/i),
      'draws a chart': chart,
      'another period or series changes it': async (visitor) => {
        const before = `${await visitor.shown()}${await visitor.picture()}`;
        const pressed = await visitor.mayPress(
          /(?:7|30|90|12) ?(?:d|days|m|months)\b|week|month|quarter|year|today|orders|daily|weekly|monthly/i,
        );
        if (!pressed)
          hold(
            await visitor.chooses(/week|month|quarter|year|\d+ days/i),
            'no control chooses a period or a series',
          );
        await visitor.until(
          async () => `${await visitor.shown()}${await visitor.picture()}` !== before,
          'nothing changes',
        );
      },
    },
  ],
});
