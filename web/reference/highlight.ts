import { type ParseOptions, parse } from 'sugar-high/core';
import * as javascript from 'sugar-high/lang/javascript';
import * as json from 'sugar-high/lang/json';
import * as python from 'sugar-high/lang/python';
import * as shell from 'sugar-high/lang/shell';
import { escapeHtml } from '../../lambda/platform/html.ts';
import { type Html, raw } from '../html.ts';
import { BASE, type Language } from './languages.ts';

/** `http` is a status line and headers, and a body of JSON. */
const GRAMMARS: Readonly<Record<Language, ParseOptions>> = {
  shell,
  // Its declarations name a function that the module does not export.
  javascript: javascript as Omit<typeof javascript, 'tokenize'>,
  python,
  json,
  http: json,
};

/** Types of tokens that have a color, and a class in the style sheet. */
const COLORED = ['keyword', 'string', 'comment', 'property', 'class'];

/** Returns code as HTML with classes for its tokens, and marks the base URL, so that the page can replace it. */
export function highlight(code: string, language: Language): Html {
  const [head, body] = language === 'http' ? code.split(/(?<=\n)\n/) : ['', code];
  const colored = language === 'shell' ? ['keyword', 'string', 'comment'] : COLORED;
  const token = ({ type, value }: { readonly type: string; readonly value: string }) => {
    const marked = markBase(value);
    return marked && colored.includes(type) ? `<span class="${type}">${marked}</span>` : marked;
  };
  const lines = parse(body ?? '', GRAMMARS[language]).lines.map(({ tokens }) => tokens.map(token).join(''));
  return raw(`${markBase(head ?? '')}${head && body ? '\n' : ''}${lines.join('\n')}`);
}

function markBase(code: string): string {
  return escapeHtml(code).replaceAll(BASE, `<span data-base>${BASE}</span>`);
}
