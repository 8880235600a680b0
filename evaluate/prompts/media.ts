import { category } from './prompt.ts';
import { hold, type Visitor } from './visitor.ts';

const SAVE = /save|download|export|png|image/i;
const PLAY = /play|start|▶/i;

/** Draws a line across the largest canvas or board. */
async function draws(visitor: Visitor): Promise<void> {
  const board = visitor.page
    .locator('canvas, svg[role=img], [role=grid], main svg')
    .filter({ visible: true });
  const boxes = await Promise.all((await board.all()).map((one) => one.boundingBox()));
  const [box] = boxes.filter((one) => one !== null).sort((a, b) => b.width * b.height - a.width * a.height);
  hold(box, 'there is nothing to draw on');
  await visitor.page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await visitor.page.mouse.down();
  await visitor.page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 10 });
  await visitor.page.mouse.up();
  await visitor.waits(0.1);
}

async function fillsForm(visitor: Visitor, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = visitor.fields(new RegExp(name, 'i')).first();
    await visitor.until(async () => (await field.count()) > 0, `no field is named ${name}`);
    await field.fill(value);
  }
  for (const box of await visitor.page.getByRole('checkbox').filter({ visible: true }).all())
    await box.check();
}

const invalid = (visitor: Visitor) =>
  visitor.page.locator(':invalid:not(form, fieldset), [aria-invalid=true]').count();

export const MEDIA = category('media', {
  chat: [
    'chat app ui like whatsapp with a bot that answers',
    {
      'a message is sent': async (visitor) => {
        const field = visitor.textField().last();
        await field.fill('Do penguins have knees?');
        await field.press('Enter');
        await visitor.mayPress(/^(?:send|➤|→)/i);
        await visitor.sees(/Do penguins have knees\?/);
        hold((await field.inputValue()) === '', 'the field keeps the sent text');
      },
      'an answer arrives': async (visitor) => {
        const before = (await visitor.page.innerText('body')).length;
        await visitor.textField().last().fill('And elbows?');
        await visitor.textField().last().press('Enter');
        await visitor.waits(8);
        const more = (await visitor.page.innerText('body')).length - before;
        hold(more > 'And elbows?'.length + 8, 'nothing answers');
      },
      'says that nobody is at the other end': (visitor) =>
        visitor.sees(/demo|mock|scripted|sample|simulat|not (?:a )?(?:real|connected)|canned|prepared/i),
    },
  ],
  drawing: [
    'drawing app where my kid can paint and save the picture',
    {
      'a line is drawn': async (visitor) => {
        const before = await visitor.picture();
        await draws(visitor);
        hold((await visitor.picture()) !== before, 'the picture is still empty');
      },
      'another colour draws another line': async (visitor) => {
        await visitor.mayPress(/red|blue|green|yellow/i);
        const before = await visitor.picture();
        await draws(visitor);
        hold((await visitor.picture()) !== before, 'nothing is drawn over the first line');
      },
      'the last line can be undone, or all cleared': async (visitor) => {
        const before = await visitor.picture();
        await visitor.presses(/undo|clear|erase all|new|reset/i);
        await visitor.mayPress(/^(?:yes|ok|clear|erase)/i);
        await visitor.until(async () => (await visitor.picture()) !== before, 'nothing is undone');
      },
      'the picture is saved as a file': async (visitor) => {
        await draws(visitor);
        hold(/\.(?:png|jpe?g|svg|webp)$/i.test(await visitor.downloads(SAVE)), 'the file is no picture');
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
        await visitor.presses(PLAY);
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
  player: [
    'music player with a playlist',
    {
      'lists tracks': async (visitor) => {
        const rows = visitor.page
          .locator('main li, main tr, [role=listitem], [role=option], ol button, ul button')
          .filter({ visible: true });
        await visitor.until(async () => (await rows.count()) >= 3, 'fewer than three tracks are listed');
      },
      'plays and pauses': async (visitor) => {
        await visitor.presses(/^(?:play|▶)/i);
        await visitor.hears();
        await visitor.presses(/pause|⏸/i);
      },
      'goes to the next track': async (visitor) => {
        const now = async () =>
          `${await visitor.shown()}${await visitor.picture()}${await visitor.page.locator('[aria-current]').allInnerTexts()}`;
        const before = await now();
        await visitor.presses(/next|skip|⏭/i);
        await visitor.until(async () => (await now()) !== before, 'the next track is the same');
      },
    },
  ],
  'form-es': [
    'formulario de contacto con nombre, correo y mensaje',
    {
      'an empty form is not sent': async (visitor) => {
        await visitor.presses(/enviar/i);
        await visitor.until(async () => (await invalid(visitor)) > 0, 'no field is marked as invalid');
      },
      'a wrong address is not accepted': async (visitor) => {
        await fillsForm(visitor, { nombre: 'Ana', 'correo|email': 'ana@', mensaje: 'Hola' });
        await visitor.presses(/enviar/i);
        await visitor.until(async () => (await invalid(visitor)) > 0, 'the address ana@ is accepted');
      },
      'a complete form is confirmed': async (visitor) => {
        await fillsForm(visitor, { 'correo|email': 'ana@example.com' });
        await visitor.presses(/enviar/i);
        await visitor.sees(/gracias|enviado|recibido/i);
      },
      'the text is Spanish': (visitor) => visitor.speaks('es'),
    },
  ],
});
