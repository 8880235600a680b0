/** The part of a page between its header and its footer, which shows nothing. */
interface EmptyView {
  /** Its start tag. */
  readonly element: string;
  /** The header has a button, which may fill it. */
  readonly isOffered: boolean;
}

export function findEmptyView(): EmptyView | undefined;
