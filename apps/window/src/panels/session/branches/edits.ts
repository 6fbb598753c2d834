/** Messages that are being edited, by session and reference: a row that is scrolled away keeps its text. */
const edits = new Map<string, string>();

const keyOf = (sessionId: string, reference: string) => `${sessionId} ${reference}`;

export const editOf = (sessionId: string, reference: string): string | undefined =>
  edits.get(keyOf(sessionId, reference));

/** Without a text: it is not edited any more. */
export function setEdit(sessionId: string, reference: string, text?: string): void {
  if (text === undefined) edits.delete(keyOf(sessionId, reference));
  else edits.set(keyOf(sessionId, reference), text);
}
