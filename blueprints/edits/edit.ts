import type { OriginalRequest } from '../../lambda/contract/generate.ts';
import { compose } from '../engine/compose.ts';
import { accentShades } from '../kit/palette.ts';
import { LANGUAGES, type Language, type ProjectFile, type SiteData } from '../kit/types.ts';
import { addItem, removeItem } from './items.ts';
import { type Edit, readEdits } from './requests.ts';
import { replaceHeading, replaceText, replaceTitle, titleIn } from './texts.ts';

const CAN =
  'It changes the title, the heading, the accent color, the dark or light theme, the language, texts (replace "A" with "B") and items of lists (add "A", remove "B") of its own starters. For any other change, connect a language model';

/**
 * Makes the simple edits that a prompt asks for in a starter project, all of them or none.
 * @param origin undefined if the project did not begin as a starter; only a change of the language needs it
 * @param data what the data of the project's site can do
 * @returns the changed files, or why there are none
 */
export function editStarter(
  prompt: string,
  project: readonly ProjectFile[],
  origin?: OriginalRequest,
  data?: SiteData,
): { readonly changed: readonly ProjectFile[] } | { readonly refusal: string } {
  const refused = (why: string) => ({
    refusal: `The embedded provider cannot make this change: ${why}. ${CAN}`,
  });
  const edits = readEdits(prompt);
  if (typeof edits === 'string') return refused(`it does not understand "${edits.slice(0, 80)}"`);
  let files = project;
  for (const edit of edits) {
    const edited = apply(edit, files, origin, data);
    if (typeof edited === 'string') return refused(edited);
    const before = new Map(files.map(({ path, content }) => [path, content]));
    if (edited.every(({ path, content }) => before.get(path) === content)) return refused(NOTHING[edit.type]);
    files = edited;
  }
  const before = new Map(project.map(({ path, content }) => [path, content]));
  return { changed: files.filter(({ path, content }) => before.get(path) !== content) };
}

/** Why an edit changes nothing. */
const NOTHING: Readonly<Record<Edit['type'], string>> = {
  title: 'the project has that title already, or none in index.html',
  heading: 'index.html has that heading already, or none that is text only',
  accent: 'the project has that accent color already, or none of a starter',
  theme: 'the project has that theme already, or no theme of a starter',
  text: 'no file has that text',
  language: 'the starter is in that language already, or has no texts in it',
  add: 'the list has the item already',
  remove: 'no list has that item',
};

function apply(
  edit: Edit,
  files: readonly ProjectFile[],
  origin?: OriginalRequest,
  data?: SiteData,
): readonly ProjectFile[] | string {
  const each = (change: (file: ProjectFile) => string) =>
    files.map((file) => ({ path: file.path, content: change(file) }));
  switch (edit.type) {
    case 'title': {
      const title = titleIn(files.find(({ path }) => path === 'index.html')?.content ?? '');
      return title === undefined ? NOTHING.title : each((file) => replaceTitle(file, title, edit.to));
    }
    case 'heading':
      return each((file) => replaceHeading(file, edit.to));
    case 'accent':
      return recolor(files, edit.color);
    case 'theme':
      return each(({ path, content }) =>
        path.endsWith('.html') ? content.replace(/(<html\b[^>]* data-theme=")\w+(?=")/, `$1${edit.theme}`) : content,
      );
    case 'text':
      return each((file) => replaceText(file, edit.from, edit.to));
    case 'language':
      return translate(files, edit.language, origin, data);
    case 'add':
    case 'remove': {
      let result: readonly ProjectFile[] | string = files;
      let { after } = edit.type === 'add' ? edit : { after: undefined };
      for (const item of edit.items) {
        if (typeof result === 'string') break;
        result = edit.type === 'add' ? addItem(result, item, after) : removeItem(result, item);
        after &&= item;
      }
      return result;
    }
  }
}

/** Replaces the accent in the style sheet, and its light shade in pictures. */
function recolor(files: readonly ProjectFile[], color: string): ProjectFile[] {
  const ACCENT = /--accent: light-dark\((#[\da-f]{6}), #[\da-f]{6}\)/;
  const was = files.map(({ content }) => ACCENT.exec(content)?.[1]).find((shade) => shade !== undefined);
  const { light, dark } = accentShades(color);
  return files.map(({ path, content }) => {
    if (path.endsWith('.css'))
      return { path, content: content.replace(ACCENT, `--accent: light-dark(${light}, ${dark})`) };
    return { path, content: was && path.endsWith('.svg') ? content.replaceAll(was, light) : content };
  });
}

/** Composes a starter that nobody changed in another language. */
function translate(
  files: readonly ProjectFile[],
  language: Language,
  origin: OriginalRequest | undefined,
  data: SiteData | undefined,
): readonly ProjectFile[] | string {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const isUnchanged = (starter: readonly ProjectFile[]) =>
    starter.length === contents.size && starter.every(({ path, content }) => contents.get(path) === content);
  const isStarter =
    origin !== undefined &&
    [undefined, ...LANGUAGES].some((lang) => isUnchanged(compose(origin.prompt, origin.duration, { lang, data })));
  if (!isStarter) return 'it translates only a generated starter that was not changed in another way';
  return compose(origin.prompt, origin.duration, { lang: language, data });
}
