import { category, hold, type Visitor } from './visitor.ts';

const REMOVE = /delete|remove|discard|✕|×|lösch|entfern|elimin|borrar|quitar|supprim|retirer|exclu|remov|apagar/i;
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
        bars.some((third) => third.y > second.y + 5 && third.x > second.x && near(third.width / first.width, 1)),
    ),
  );
}

export const TOOLS = category('tools', {
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
        await visitor.until(async () => Math.abs((await x()) - after) < 10, 'the card is elsewhere after a reload');
      },
      'a card is added': async (visitor) => {
        await visitor.enters({ text: 'Book the band', name: /card|task|new|add|title/i });
        await visitor.sees(/Book the band/);
      },
    },
  ],
  drums: [
    'drum machine with 16 steps: kick, snare, hi-hat',
    {
      'has the instruments': (visitor) => visitor.sees(/kick/i, /snare/i, /hi-?\s?hat/i),
      'has 16 steps for each': async (visitor) => {
        const tiles = await visitor.tiles(48, 200);
        hold(tiles.length % 16 === 0 && tiles.length > 0, `${tiles.length} equal steps are seen`);
      },
      'a step is switched on': async (visitor) => {
        const count = (await visitor.tiles(48, 200)).length;
        const looks = async () =>
          `${(await visitor.tiles(48, 200))[3]?.look}${await visitor.page.locator('input:checked').count()}`;
        const before = await looks();
        await visitor.clicksTiles(count, 3);
        await visitor.until(async () => (await looks()) !== before, 'the step stays as it was');
      },
      plays: async (visitor) => {
        await visitor.presses(/play|start|▶/i);
        await visitor.hears();
        await visitor.presses(/stop|pause|⏸|■/i);
      },
      'has a tempo': async (visitor) => {
        await visitor.sees(/bpm|tempo/i);
        const field = visitor.fields(/bpm|tempo/i);
        hold(
          (await field.count()) > 0 || (await visitor.control(/tempo|bpm|faster|\+/i)),
          'the tempo cannot be changed',
        );
      },
    },
  ],
});
