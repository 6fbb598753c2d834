/** Heads the problems that an edit introduced, in the result of its call. */
export const NEW_PROBLEMS = 'New problems after this edit:';

/** The lines about problems in the result of an edit; empty without any. */
export function editProblems(content: string): string[] {
  const head = `\n\n${NEW_PROBLEMS}\n`;
  const at = content.indexOf(head);
  return at < 0 ? [] : content.slice(at + head.length).split('\n');
}
