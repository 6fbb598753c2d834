export type NoteFormat = 'markdown' | 'text';

/** Patterns of Markdown: one match is enough, so none may be common in plain text. */
const SIGNS = [
  /^ {0,3}#{1,6} \S/m, // heading
  /^ {0,3}(```|~~~)/m, // fenced code
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S.*\n {0,3}(?:[-*+]|\d{1,3}[.)]) \S/m, // a list of two items
  /^ {0,3}[-*+] \[[ xX]\] /m, // a task list item
  /^ {0,3}> \S/m, // quotation
  /\[[^\]\n]+\]\([^)\s]+\)/, // link
  /\*\*[^\s*][^*\n]*\*\*|__[^\s_][^_\n]*__/, // strong
  /(?:^|\s)`[^`\n]+`/, // code
  /^\|.+\|\s*\n\|[\s:|-]+\|/m, // table
];

export function detectNoteFormat(content: string): NoteFormat {
  return SIGNS.some((sign) => sign.test(content)) ? 'markdown' : 'text';
}
