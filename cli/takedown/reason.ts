import { UsageError } from '../../terminal/program.ts';

export const REASON_CHARACTERS = 500;

/** Returns the reason of a takedown, which its pages show. @throws UsageError if it is too long */
export function checkedReason(text = ''): { reason?: string } {
  const reason = text.trim();
  const { length } = [...reason];
  if (length > REASON_CHARACTERS)
    throw new UsageError(`--reason has ${length} characters: at most ${REASON_CHARACTERS} are allowed`);
  return reason === '' ? {} : { reason };
}

/** Returns the reason of a takedown as text, such as `with the reason: Spam`. */
export function reasonText(reason: string | undefined): string {
  return reason ? `with the reason: ${reason}` : 'without a reason';
}
