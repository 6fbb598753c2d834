/** The first `limit` UTF-16 units of a text, one fewer where that would split a character in two. */
export function textStart(text: string, limit: number): string {
  const at = Math.max(0, limit);
  return isHalf(text, at) ? text.slice(0, at - 1) : text.slice(0, at);
}

/** The last `limit` UTF-16 units of a text, one fewer where that would split a character in two. */
export function textEnd(text: string, limit: number): string {
  const at = Math.max(0, text.length - Math.max(0, limit));
  return isHalf(text, at) ? text.slice(at + 1) : text.slice(at);
}

/** Whether a surrogate pair lies across this position. */
function isHalf(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
