import type { ElementHandle } from 'playwright-core';
import { category, type Steps } from './prompt.ts';
import { hold, type Visitor } from './visitor.ts';

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

/** Every link to a section of the page leads to one. */
async function reachesSections(visitor: Visitor): Promise<void> {
  const missing = await visitor.page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map((link) => decodeURIComponent(link.hash.slice(1)))
      .filter((id) => id && id !== 'top' && !id.startsWith('/') && !document.getElementById(id))`,
  );
  hold(missing.length === 0, `links lead to missing sections: ${missing.join(', ')}`);
}

const hasWords = (least: number) => async (visitor: Visitor) => {
  const words = (await visitor.page.innerText('body')).split(/\s+/).length;
  hold(words >= least, `the page has ${words} words`);
};

/** Opens what a name leads to: a link or button with it, or the text itself. */
async function opens(visitor: Visitor, name: RegExp): Promise<void> {
  if (await visitor.mayPress(name)) return;
  const text = visitor.page.getByText(name).filter({ visible: true }).first();
  await visitor.until(async () => (await text.count()) > 0, `${name} is not seen`);
  await text.click();
}

const answersInvitation = (guest: string, attends: RegExp, thanks: RegExp): Steps => ({
  'a guest accepts': async (visitor) => {
    await visitor.mayPress(/^(?:rsvp|reply|answer|antworten|zu- (?:und|oder) absage)/i);
    await visitor.fills(/name|guest|gast/i, guest);
    const yes = visitor.page.getByRole('radio', { name: attends }).filter({ visible: true });
    if ((await yes.count()) > 0) await yes.first().check({ force: true });
    else if (!(await visitor.chooses(attends))) await visitor.mayPress(attends);
    await fillsAll(visitor);
    const name = visitor.fields(/name|guest|gast/i).first();
    if ((await name.count()) > 0) await visitor.submits(name);
    const text = () => visitor.page.innerText('body');
    await visitor.until(async () => thanks.test(await text()), `${thanks} is not seen`);
  },
  'the reply is still there after a reload': async (visitor) => {
    await visitor.reloads();
    await visitor.sees(new RegExp(`${guest}|${thanks.source}`, 'i'));
  },
});

export const PAGES = category('pages', {
  recipes: [
    "recipe book for my grandma's dishes: goulash, dumplings, plum cake",
    {
      'lists the dishes': (visitor) => visitor.sees(/goulash/i, /dumplings/i, /plum cake/i),
      'a dish has ingredients and steps': async (visitor) => {
        await opens(visitor, /goulash/i);
        await visitor.sees(/ingredients/i, /steps|method|instructions|directions|preparation/i);
      },
    },
  ],
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
            (await visitor.page.locator('p').filter({ visible: true }).allInnerTexts()).join(' ').length >
            300,
          'no post has 300 characters',
        );
      },
    },
  ],
  'resume-de': [
    'Lebenslauf für Jonas Weber, Softwareentwickler in Köln, mit Berufserfahrung, Ausbildung und Sprachen',
    {
      'names the person': (visitor) => visitor.sees(/Jonas Weber/, /Softwareentwickler/, /Köln/),
      'has the sections': (visitor) => visitor.sees(/Berufserfahrung/i, /Ausbildung/i, /Sprachen/i),
      'is printed without buttons': async (visitor) => {
        await visitor.page.emulateMedia({ media: 'print' });
        const buttons = await visitor.page.getByRole('button').filter({ visible: true }).count();
        await visitor.page.emulateMedia({ media: 'screen' });
        hold(buttons === 0, `${buttons} buttons are printed`);
      },
      'the text is German': (visitor) => visitor.speaks('de'),
    },
  ],
  wedding: [
    'wedding invitation for Emma & Luis, 12 June 2027, Quinta da Serra, with RSVP',
    {
      'says who, when and where': (visitor) =>
        visitor.sees(/Emma/, /Luis/, /12(?:th)? (?:of )?June|June 12/i, /2027/, /Quinta da Serra/),
      ...answersInvitation(
        'Aunt Rosa',
        /yes|accept|attend|coming|will be there|joyfully/i,
        /thank|see you|look forward|Aunt Rosa/i,
      ),
    },
  ],
  'birthday-de': [
    'Einladung zum 40. Geburtstag von Katrin am 3. Mai in Hamburg, mit Zu- und Absage',
    {
      'says who, when and where': (visitor) => visitor.sees(/Katrin/, /3\. Mai/, /Hamburg/, /40/),
      ...answersInvitation('Tante Rosa', /ja|komme|zusage|dabei|gern/i, /danke|bis dann|Tante Rosa/i),
      'the text is German': (visitor) => visitor.speaks('de'),
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
            .count()) > 0 &&
            before === (await visitor.page.locator(FIELDS).filter({ visible: true }).count()),
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
  saas: [
    'landing page for Lumen, AI meeting notes. Hero, features, pricing with 3 tiers, FAQ and footer',
    {
      'names the product': (visitor) => visitor.sees(/Lumen/),
      'has the sections': (visitor) => visitor.sees(/features/i, /pricing|plans/i, /FAQ|questions/i),
      'has three prices': async (visitor) => {
        const prices =
          (await visitor.shown()).match(/[$€£]\s?\d+|\d+\s?[$€£]|\bfree\b|contact us|custom/gi) ?? [];
        hold(prices.length >= 3, `${prices.length} prices are seen`);
      },
      'its links lead to sections': reachesSections,
      'has 120 words': hasWords(120),
    },
  ],
  'cafe-pt': [
    'site da cafeteria Grão, em Lisboa, com menu, horário e contacto',
    {
      'names the café and the place': (visitor) => visitor.sees(/Grão/, /Lisboa/),
      'has the sections': (visitor) => visitor.sees(/menu|carta|ementa/i, /horário/i, /contac?to/i),
      'its links lead to sections': reachesSections,
      'the text is Portuguese': (visitor) => visitor.speaks('pt'),
    },
  ],
  portfolio: [
    'personal site for Maya Okafor, product designer in Lagos. Projects: harbour map, clinic app, type specimen',
    {
      'names the person': (visitor) => visitor.sees(/Maya Okafor/, /product designer/i, /Lagos/),
      'shows the projects': async (visitor) => {
        const names = (await visitor.page.locator('h2, h3, h4, a, button, figcaption').allInnerTexts()).join(
          '\n',
        );
        for (const name of [/harbour map/i, /clinic app/i, /type specimen/i])
          hold(name.test(names), `no heading or link matches ${name}`);
      },
      'its links lead to sections': reachesSections,
    },
  ],
  azores: [
    'a page about the history of the Azores, with sections on volcanoes, whaling and tea',
    {
      'has the sections': async (visitor) => {
        const headings = (await visitor.page.getByRole('heading').allInnerTexts()).join('\n');
        for (const topic of [/volcano/i, /whaling/i, /tea/i])
          hold(topic.test(headings), `no heading matches ${topic}`);
      },
      'has 150 words': hasWords(150),
    },
  ],
});
