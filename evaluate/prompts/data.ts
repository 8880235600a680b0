import { category, hold, Visitor } from './visitor.ts';

const WISH = 'May the music never stop';

/** Does something as another visitor, in a browser of their own. */
async function asAnother({ page, project }: Visitor, use: (other: Visitor) => Promise<void>): Promise<void> {
  const context = await page.context().browser()?.newContext();
  hold(context, 'there is no second browser');
  try {
    await context.addInitScript({ path: new URL('in-page.js', import.meta.url).pathname });
    const other = await context.newPage();
    other.setDefaultTimeout(3_000);
    await other.goto(page.url(), { waitUntil: 'networkidle' });
    await use(new Visitor(other, project));
  } finally {
    await context.close();
  }
}

/** Registers with a name and an address, and agrees to what there is to agree to. */
async function registers(visitor: Visitor, name: string): Promise<void> {
  const address = visitor.fields(/e-?mail/i).first();
  await visitor.fields(/name/i).first().fill(name);
  await address.fill(`${name.toLowerCase()}@example.com`);
  const box = visitor.page.getByRole('checkbox').filter({ visible: true });
  if ((await box.count()) > 0) await box.first().check();
  await visitor.submits(address);
}

/** What visitors share, and what the owner gets. */
export const DATA = category('data', {
  guestbook: [
    'A guestbook for our wedding where guests leave wishes and everyone sees them',
    {
      'takes a wish': async (visitor) => {
        const name = visitor.fields(/name/i).first();
        await name.fill('Odile');
        const text = visitor.page.locator('textarea').filter({ visible: true }).first();
        await text.fill(WISH);
        await visitor.submits(text);
        await visitor.sees(new RegExp(WISH), /Odile/);
      },
      'keeps it after a reload': async (visitor) => {
        await visitor.reloads();
        await visitor.sees(new RegExp(WISH));
      },
      'shows it to other guests': (visitor) => asAnother(visitor, (other) => other.sees(new RegExp(WISH), /Odile/)),
    },
  ],
  registration: [
    'Registration for our summer party, 2 places, name and e-mail, I need the list',
    {
      'takes the first guest': (visitor) => registers(visitor, 'Odile'),
      'takes the second, and no more': async (visitor) => {
        await asAnother(visitor, async (other) => {
          await registers(other, 'Marcel');
          await other.sees(/thank|registered|on the list|see you|sent|place/i);
        });
        await asAnother(visitor, async (other) => {
          if ((await other.fields(/e-?mail/i).count()) > 0) await registers(other, 'Agathe');
          await other.sees(/full|taken|no (?:more )?places|sold out|gone|sorry/i);
        });
      },
      'shows nobody else the list': (visitor) =>
        asAnother(visitor, async (other) => {
          await other.sees(/party/i);
          await other.misses(/odile@example\.com/i);
        }),
    },
  ],
});
