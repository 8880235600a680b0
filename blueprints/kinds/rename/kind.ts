import { slug } from '../../kit/phrases.ts';
import type { Kind, Values } from '../../kit/types.ts';

const VERB =
  '(?:bulk |batch )?renam(?:e|es|er|ing)|(?:um|neu )benennen|umbenenn\\p{L}*|renombrar?|renombrador|renommer?|renommage|renomear?|renomeador';
const FILE_NAMES =
  'file ?names?|dateinamen|nombres? de (?:los )?archivos?|noms? de fichiers?|nomes? de (?:arquivos?|ficheiros?)';

export const rename: Kind<
  | 'title'
  | 'summary'
  | 'synopsis'
  | 'description'
  | 'preview'
  | 'options'
  | 'optReplace'
  | 'optTo'
  | 'optCase'
  | 'optOnly'
  | 'optApply'
  | 'optUndo'
  | 'example'
  | 'installing'
  | 'needs'
> = {
  name: 'rename',
  layers: {
    auto: ['shared/page', 'cli/manual', 'rename/base'],
    '5min': ['rename/5min'],
    '10min': ['shared/csv'],
  },
  accent: '#2e7d32',
  words: [
    [`${VERB}|${FILE_NAMES}`, 9],
    // A tool for file names is one for renaming, wherever the prompt says so.
    [`(?:cli|command[- ]?line|terminal|script|tool|program\\p{L}*)(?=[^]{0,200}(?:${VERB}|${FILE_NAMES}))`, 9],
  ],
  values({ name }, texts) {
    const command = slug(name, 'rename-files');
    const synopsis = [
      `${command} [FOLDER] --replace FIND [--with TEXT] [--regex]`,
      `${command} [FOLDER] --to PATTERN`,
      `${command} [FOLDER] --case lower|upper|title`,
      `${command} [FOLDER] --undo`,
    ].join('\n');
    const options = [
      ['--replace FIND --with TEXT', texts.optReplace],
      ['--to PATTERN', texts.optTo],
      ['--case CASE', texts.optCase],
      ['--only jpg,png', texts.optOnly],
      ['--apply', texts.optApply],
      ['--undo', texts.optUndo],
    ] as const;
    const screen = [
      `$ ${command} Photos --to 'lisbon-{n:2}' --only jpg`,
      'IMG_2041.jpg → lisbon-01.jpg',
      'IMG_2044.jpg → lisbon-02.jpg',
      '2 to rename. Nothing is changed without --apply.',
    ].join('\n');
    const description = texts.summary.replace('{command}', command);
    return {
      title: name || texts.title,
      description,
      command,
      help: [
        description,
        synopsis,
        texts.preview,
        ...options.map(([option, text]) => `  ${option}\n      ${text}`),
      ].join('\n\n'),
      chapters: [
        chapter(texts.synopsis, { synopsis }),
        chapter(texts.description, { paragraphs: [description, texts.preview] }),
        chapter(texts.options, { terms: options }),
        chapter(texts.example, { screen }),
        chapter(texts.installing, { paragraphs: [texts.needs], screen: `$ npm link\n$ ${command} --help` }),
      ],
    };
  },
};

/** The content below a heading of a manual page; everything is optional. */
export interface Chapter {
  readonly paragraphs?: readonly string[];
  /** Lines of commands without their output. */
  readonly synopsis?: string;
  readonly terms?: readonly (readonly [term: string, text: string])[];
  /** What a terminal shows. */
  readonly screen?: string;
}

/** Returns a chapter as the values of `base/index.html`. */
function chapter(heading: string, { paragraphs, synopsis, terms, screen }: Chapter): Values {
  return {
    heading,
    paragraphs: (paragraphs ?? []).map((text) => ({ text })),
    synopsis: synopsis ?? '',
    hasTerms: terms !== undefined,
    terms: (terms ?? []).map(([term, text]) => ({ term, text })),
    screen: screen ?? '',
  };
}
