import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** An editor in the page. */
export interface Editor {
  /** Shows another file, or a later content of the same one, which keeps the scroll position. */
  show(path: string, content: string, readOnly: boolean): void;
  /** Puts the cursor at a place and shows it. Counts from 1. */
  goTo(line: number, column?: number): void;
  close(): void;
}

const LANGUAGES: readonly (readonly [RegExp, () => Promise<LanguageSupport>])[] = [
  [/\.(?:html?|svg|xml|vue)$/i, async () => (await import('@codemirror/lang-html')).html()],
  [/\.css$/i, async () => (await import('@codemirror/lang-css')).css()],
  [
    /\.[cm]?[jt]sx?$/i,
    async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  ],
  [/\.(?:json|map|webmanifest)$/i, async () => (await import('@codemirror/lang-json')).json()],
  [/\.md$/i, async () => (await import('@codemirror/lang-markdown')).markdown()],
  [/\.py$/i, async () => (await import('@codemirror/lang-python')).python()],
];

/** The colors of the page, so that it follows its color scheme. */
const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--page)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-line': { padding: '0 12px 0 4px' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--page)', border: '0' },
  // Wide enough for 9,999 lines, so that no text moves when a file grows.
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--panel) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--accent) 20%, transparent) !important' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--panel)', borderColor: 'var(--line)' },
  '.cm-textfield, .cm-button': {
    color: 'var(--ink)',
    background: 'var(--page)',
    border: '1px solid var(--line)',
  },
});
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.operatorKeyword], color: 'var(--red)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta], color: 'var(--soft)' },
  { tag: [tags.propertyName, tags.attributeName, tags.number, tags.bool, tags.null], color: 'var(--blue)' },
  {
    tag: [tags.className, tags.typeName, tags.definition(tags.function(tags.variableName))],
    color: 'var(--purple)',
  },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.link, color: 'var(--blue)' },
]);

/** Marks changes that the user did not make. */
const shown = Annotation.define<true>();

/**
 * Returns an editor in a shadow root: only there CodeMirror uses constructed style sheets, which the policy of the page allows.
 * The tab key leaves the editor.
 * @param onChange is called with the content after each change of the user
 */
export function createEditor(root: ShadowRoot, onChange: (content: string) => void): Editor {
  const language = new Compartment();
  const mode = new Compartment();
  const extensions: Extension = [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap]),
    syntaxHighlighting(HIGHLIGHT),
    THEME,
    EditorView.updateListener.of((update) => {
      const byUser = !update.transactions.some((transaction) => transaction.annotation(shown));
      if (update.docChanged && byUser) onChange(update.state.doc.toString());
    }),
    language.of([]),
    mode.of([]),
  ];
  const modeOf = (path: string, readOnly: boolean) => [
    EditorState.readOnly.of(readOnly),
    // Keys scroll it: not every tool knows that a `contenteditable` takes the focus.
    EditorView.contentAttributes.of({
      'aria-label': `${path}${readOnly ? ', read only' : ''}`,
      tabindex: '0',
    }),
  ];
  const view = new EditorView({ parent: root, root, extensions });
  let current: string | undefined;
  const load = async (path: string) => {
    const found = LANGUAGES.find(([pattern]) => pattern.test(path));
    const support = await found?.[1]();
    if (support && current === path) view.dispatch({ effects: language.reconfigure(support) });
  };
  return {
    show(path, content, readOnly) {
      if (path !== current) {
        current = path;
        view.setState(EditorState.create({ doc: content, extensions }));
        load(path).catch(() => {});
      }
      const before = view.state.doc.toString();
      view.dispatch({
        effects: mode.reconfigure(modeOf(path, readOnly)),
        annotations: shown.of(true),
        ...(before === content ? {} : { changes: firstDifference(before, content) }),
      });
      // It reads the line height first, which the editor otherwise does a frame later: the line numbers would move.
      view.elementAtHeight(0);
    },
    goTo(line, column = 1) {
      const { from, to } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      const at = Math.min(from + Math.max(0, column - 1), to);
      view.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: 'center' }),
        annotations: shown.of(true),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** Returns the one change that makes a text from another: what lies between their common start and end. */
function firstDifference(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
