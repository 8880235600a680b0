/** A visible control. */
export interface Control {
  readonly index: number;
  readonly use: 'press' | 'link' | 'type' | 'set' | 'choose' | 'file';
  /** The name that a person would use. */
  readonly name: string;
  /** The URL of a link, without its fragment. */
  readonly url?: string;
  /** Equal for controls of one kind, such as the buttons of a list. */
  readonly markup: string;
  /** Equal for controls that do the same. */
  readonly key: string;
}

export function listLinks(home: string): string[];
export function listViews(): string[];
export function listControls(home: string): Control[];
export function reach(index: number): { readonly x: number; readonly y: number } | undefined;
export function beginTyping(index: number): { readonly value: string; readonly enter: boolean };
export function setField(index: number): void;
export function chooseFile(index: number): void;
export function leaveFields(): void;
/** `path` has the indexes in `kept` of the button and of what it is in; 0 is the document. */
export function keepPlainButtons(most: number): { readonly name: string; readonly path: readonly number[] }[];
