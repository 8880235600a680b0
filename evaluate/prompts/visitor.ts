import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** The parts of the generation that a step may use besides its page. */
export interface EvaluatedProject {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The starter of the embedded provider, null if none fits the prompt; absent for a model. */
  readonly matched?: string | null;
}

/** One place of a board, with its centre in CSS pixels. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly label: string;
  readonly pictures: string;
  /** All of its HTML, to notice changes. */
  readonly look: string;
}

const PATIENCE_MS = 10_000;
const POLL_MS = 50;
const FIELDS = 'input, textarea, select, [contenteditable=true]';
const NOT_TEXT =
  '[type=number], [type=checkbox], [type=radio], [type=range], [type=date], [type=time], [type=month], [type=color], [type=file], [type=search], [type=submit], [type=button], [type=hidden]';
const OPENS = /add|new|create|log|record|\+|neu|hinzu|eintrag|nuev|añad|agreg|nouve|ajout|nov[ao]|adicion/i;

/**
 * Uses a page as a person does: by role, name and visible text, whatever its implementation. Everything that does not
 * happen within 10 s throws an Error that says what was expected.
 */
export class Visitor {
  readonly page: Page;
  readonly project: EvaluatedProject;

  constructor(page: Page, project: EvaluatedProject) {
    this.page = page;
    this.project = project;
  }

  /** Polls a condition. */
  async until(holds: () => Promise<boolean> | boolean, problem: string): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !(await holds()); await sleep(POLL_MS))
      if (Date.now() > deadline) throw new Error(problem);
  }

  /** The visible text, with values of fields, names of unlabelled elements and texts on canvases. */
  shown(): Promise<string> {
    return this.page.evaluate('visitor.shown()');
  }

  async sees(...patterns: readonly RegExp[]): Promise<void> {
    for (const pattern of patterns)
      await this.until(async () => pattern.test(await this.shown()), `${pattern} is not seen`);
  }

  /** Waits until text is gone, except from announcements such as "Coffee was deleted". */
  async misses(pattern: RegExp): Promise<void> {
    const listed = () => this.page.evaluate<string>('visitor.listed()');
    await this.until(async () => !pattern.test(await listed()), `${pattern} is still seen`);
  }

  /** Lets time pass for the timers of the page, which fire as if they had waited. */
  async waits(seconds: number): Promise<void> {
    await this.page.clock.runFor(seconds * 1_000);
  }

  async reloads(): Promise<void> {
    await this.page.reload({ waitUntil: 'load' });
  }

  /** The visible element that is operated by a name: a button before a link before other controls. */
  async control(name: RegExp): Promise<Locator | undefined> {
    for (const role of ['button', 'link', 'tab', 'menuitem', 'switch', 'checkbox', 'radio'] as const) {
      const found = this.page.getByRole(role, { name }).filter({ visible: true });
      if ((await found.count()) > 0) return found.first();
    }
    return undefined;
  }

  async presses(name: RegExp): Promise<void> {
    await this.until(async () => (await this.control(name)) !== undefined, `nothing to press is named ${name}`);
    await (await this.control(name))?.click();
  }

  /** Presses a control that not every implementation has, such as Start. */
  async mayPress(name: RegExp): Promise<boolean> {
    const control = await this.control(name);
    if (!control || !(await control.isEnabled())) return false;
    await control.click();
    return true;
  }

  /** The visible fields with a name, by label or placeholder. */
  fields(name: RegExp): Locator {
    const named = this.page.getByLabel(name).or(this.page.getByPlaceholder(name));
    return named.and(this.page.locator(FIELDS)).filter({ visible: true });
  }

  async chooses(option: RegExp): Promise<boolean> {
    for (const select of await this.page.locator('select').filter({ visible: true }).all()) {
      const labels = await select.locator('option').allTextContents();
      const label = labels.find((text) => option.test(text));
      if (label === undefined) continue;
      await select.selectOption({ label });
      return true;
    }
    return false;
  }

  /** The first visible text field that is none for searching. */
  textField(): Locator {
    return this.page
      .locator(`textarea, input:not(${NOT_TEXT}, [role=combobox])`)
      .filter({ visible: true })
      .and(this.page.locator(':not([readonly], [disabled])'));
  }

  numberField(): Locator {
    const typed = this.page.locator('input[type=number], input[inputmode=decimal], input[inputmode=numeric]');
    return typed.or(this.page.getByRole('spinbutton')).filter({ visible: true });
  }

  /** Adds an entry of a text and a number, whichever the form asks for, and submits the form. */
  async enters({ text, number, name = /^$/ }: { text?: string; number?: string; name?: RegExp }): Promise<void> {
    const form = () => (number === undefined ? this.textField() : this.numberField());
    if ((await form().count()) === 0) await this.presses(OPENS);
    await this.until(async () => (await form().count()) > 0, 'no field to add an entry with');
    const number_ = this.numberField();
    const named = this.fields(name).and(this.textField());
    const text_ = (await named.count()) > 0 ? named : this.textField().and(this.page.locator(':not([inputmode])'));
    if (number !== undefined) await number_.first().fill(number);
    if (text !== undefined && (await text_.count()) > 0) await text_.first().fill(text);
    await this.submits(number === undefined ? text_.first() : number_.first());
  }

  /** Submits the form of a field by its button, or by Enter if it has none. */
  async submits(field: Locator): Promise<void> {
    const form = field.locator('xpath=ancestor::*[self::form or self::dialog or @role="dialog"][1]');
    const submit = form
      .locator('button[type=submit], button:not([type]), input[type=submit]')
      .filter({ visible: true });
    if ((await submit.count()) > 0) return submit.last().click();
    const other = await this.control(OPENS);
    if (other) await other.click();
    else await field.press('Enter');
  }

  tiles(least: number, most = least): Promise<Tile[]> {
    return this.page.evaluate(`visitor.tiles(${least}, ${most})`);
  }

  /** Clicks tiles by their indexes, in reading order. */
  async clicksTiles(count: number, ...indexes: readonly number[]): Promise<void> {
    for (const index of indexes) {
      let tile: Tile | undefined;
      await this.until(async () => {
        tile = (await this.tiles(count))[index];
        return tile !== undefined;
      }, `no board of ${count} equal tiles is seen`);
      if (tile) await this.page.mouse.click(tile.x, tile.y);
    }
  }

  /** What canvases and graphics look like. */
  picture(): Promise<string> {
    return this.page.evaluate('visitor.picture()');
  }

  numbers(): Promise<number[]> {
    return this.page.evaluate('visitor.numbers()');
  }

  /** Waits until a sound has been started since the page was opened. */
  async hears(): Promise<void> {
    await this.until(() => this.page.evaluate<boolean>('visitor.sounds > 0'), 'no sound is played');
  }

  async prints(name: RegExp): Promise<void> {
    await this.presses(name);
    await this.until(() => this.page.evaluate<boolean>('visitor.prints > 0'), `${name} does not print`);
  }

  /** Expects the interface in a language: it is declared, and no button has an English name. */
  async speaks(lang: 'es' | 'fr'): Promise<void> {
    const declared = await this.page.evaluate<string>('document.documentElement.lang');
    if (!declared.toLowerCase().startsWith(lang))
      throw new Error(`the page declares the language "${declared}" instead of ${lang}`);
    const names = await this.page.evaluate<string[]>('visitor.buttons()');
    const english = names.find((name) =>
      /\b(?:add|new|delete|remove|save|next|back|restart|again|clear|undo|send|search|show|close|edit|done|all|theme|print)\b/i.test(
        name,
      ),
    );
    if (english !== undefined) throw new Error(`a button is English: "${english}"`);
  }
}

/** @throws Error if something does not hold */
export function hold(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}

/** The checks of a page, performed in order: each begins where the one before left the page. */
export type Steps = Readonly<Record<string, (visitor: Visitor) => Promise<void>>>;

export interface Prompt {
  /** Unique, for `--only`. */
  readonly id: string;
  readonly category: string;
  readonly text: string;
  readonly steps: Steps;
}

export const category = (name: string, prompts: Readonly<Record<string, readonly [string, Steps]>>): Prompt[] =>
  Object.entries(prompts).map(([id, [text, steps]]) => ({ id, category: name, text, steps }));
