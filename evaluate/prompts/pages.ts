import type { ElementHandle } from 'playwright-core';
import { category, hold, type Visitor } from './visitor.ts';

const NEXT = /next|continue|suivant|continuer|weiter|→/i;
const FIELDS = 'input, textarea, select';

/** A plausible value for a field, by its type and label. */
function valueFor(type: string, label: string): string {
  if (/email/.test(type) || /e-?mail|courriel/i.test(label)) return 'odile@example.com';
  if (/tel/.test(type) || /phone|tél/i.test(label)) return '0123456789';
  if (/date/.test(type)) return '2027-05-04';
  if (/month/.test(type)) return '2027-05';
  if (/number/.test(type)) return '7';
  if (/url/.test(type)) return 'https://example.com';
  if (/cvc|cvv|cryptogramme/i.test(label)) return '123';
  if (/expir/i.test(label)) return '12/30';
  if (/carte|card/i.test(label)) return '4242424242424242';
  if (/iban/i.test(label)) return 'FR7630006000011234567890189';
  if (/postal|zip/i.test(label)) return '75011';
  return 'Odile Marchand';
}

interface Field {
  readonly type: string;
  readonly label: string;
  /** Whether it has a value, or a radio button of its group is chosen. */
  readonly answered: boolean;
}

async function fillsField(field: ElementHandle): Promise<void> {
  const { type, label, answered } = await field.evaluate((element) =>
    (globalThis as unknown as { visitor: { field(element: unknown): Field } }).visitor.field(element),
  );
  if (type === 'checkbox') return field.check({ force: true });
  if (answered || /range|color|file|submit|button|search/.test(type)) return;
  if (type === 'select-one') await field.selectOption({ index: 1 });
  else if (type === 'radio') await field.check({ force: true });
  else await field.fill(valueFor(type, label));
}

/** Fills every visible field; filling one may hide others. */
async function fillsAll(visitor: Visitor): Promise<void> {
  for (const field of await visitor.page.locator(FIELDS).elementHandles())
    if ((await field.isVisible()) && (await field.isEditable())) await fillsField(field);
}

export const PAGES = category('pages', {
  blog: [
    'blog about slow travel in Portugal with 3 posts',
    {
      'names its topic': (visitor) => visitor.sees(/slow travel/i, /Portugal/),
      'lists three posts with dates': async (visitor) => {
        const dates = visitor.page.locator('time').filter({ visible: true });
        const posts = visitor.page.locator('article, main li').filter({ visible: true });
        await visitor.until(
          async () => (await dates.count()) >= 3 || (await posts.count()) >= 3,
          'fewer than three posts are listed',
        );
      },
      'a post can be read': async (visitor) => {
        const link = visitor.page.locator('article a, main li a, h2 a, h3 a').filter({ visible: true });
        if ((await link.count()) > 0) await link.first().click();
        await visitor.until(
          async () =>
            (await visitor.page.locator('p').filter({ visible: true }).allInnerTexts()).join(' ').length > 300,
          'no post has 300 characters',
        );
      },
    },
  ],
  'wizard-fr': [
    "formulaire d'inscription en plusieurs étapes : identité, adresse, paiement, récapitulatif",
    {
      'begins with one step': async (visitor) => {
        await visitor.sees(/identité/i);
        const fields = await visitor.page.locator(FIELDS).filter({ visible: true }).count();
        hold(fields > 0 && fields < 9, `${fields} fields are shown at once`);
      },
      'asks for what is missing': async (visitor) => {
        const before = await visitor.page.locator(FIELDS).filter({ visible: true }).count();
        await visitor.presses(NEXT);
        hold(
          (await visitor.page
            .locator(':invalid:not(form, fieldset), [aria-invalid=true]')
            .filter({ visible: true })
            .count()) > 0 && before === (await visitor.page.locator(FIELDS).filter({ visible: true }).count()),
          'an empty step is accepted',
        );
      },
      'the last step shows what was entered': async (visitor) => {
        for (
          let step = 0;
          step < 6 && !(await visitor.control(/envoyer|valider|confirmer|terminer|soumettre/i));
          step++
        ) {
          await fillsAll(visitor);
          await visitor.presses(NEXT);
          await visitor.waits(0.5);
        }
        await visitor.sees(/Odile Marchand|odile@example\.com/);
      },
      'is confirmed': async (visitor) => {
        for (const box of await visitor.page.getByRole('checkbox').filter({ visible: true }).all())
          await box.check({ force: true });
        await visitor.presses(/envoyer|valider|confirmer|terminer|soumettre/i);
        await visitor.sees(/merci|envoyé|reçue?|confirmé|terminé|enregistré/i);
      },
      'the text is French': (visitor) => visitor.speaks('fr'),
    },
  ],
});
