import { category, hold, type Steps, type Visitor } from './visitor.ts';

/** All files of the project as one text, each below its path. */
const source = ({ project }: Visitor) => [...project.files].map(([path, content]) => `${path}\n${content}`).join('\n');
const paths = ({ project }: Visitor) => [...project.files.keys()];

const contains =
  (...patterns: readonly RegExp[]) =>
  async (visitor: Visitor) => {
    const text = source(visitor);
    for (const pattern of patterns) hold(pattern.test(text), `no file contains ${pattern}`);
  };

const hasFile = (pattern: RegExp) => async (visitor: Visitor) =>
  hold(
    paths(visitor).some((path) => pattern.test(path)),
    `no file is named ${pattern}`,
  );

/** Its page or README says how to start it. */
const saysHow = (pattern: RegExp) => async (visitor: Visitor) => {
  const readme = [...visitor.project.files].find(([path]) => /^readme/i.test(path))?.[1] ?? '';
  hold(pattern.test(`${await visitor.shown()}\n${readme}`), `neither the page nor the README says ${pattern}`);
};

export const PROGRAMS = category('programs', {
  api: [
    'REST API in Node for a library: books and authors, CRUD, with tests',
    {
      'is a program for Node': hasFile(/^package\.json$/),
      'creates, reads, updates and deletes': contains(/POST/i, /GET/i, /PUT|PATCH/i, /DELETE/i),
      'has books': contains(/books/i),
      'says how to start it': saysHow(/npm (?:start|run)|node [\w./-]+/),
    },
  ],
});

const NOTHING_FITS =
  /no (?:starter|template|blueprint|project)|not (?:something|supported|possible)|cannot|can't|does(?: not|n't) fit|nothing fits|passt nicht|keine? (?:vorlage|starter|startprojekt|projekt)|nicht (?:möglich|passend)|kann (?:das|dies)? ?nicht/i;

/**
 * The honest answer of the embedded provider, whose starters do none of this, is that none fits. A model answers honestly
 * with the program itself, or by saying that it cannot.
 */
const honest = (program: RegExp): Steps => ({
  'says that no starter fits, or is a program of that kind': async (visitor) => {
    const { matched } = visitor.project;
    if (typeof matched === 'string') throw new Error(`the starter ${matched} is something else`);
    if (matched === undefined && paths(visitor).some((path) => program.test(path))) return;
    await visitor.sees(NOTHING_FITS);
  },
});

export const BEYOND = category('beyond', {
  'kernel-driver': ['write a linux kernel driver for my usb thermometer', honest(/\.(?:c|rs)$/)],
});
