import { cleanText } from '@fucina/conversation/clean-text';

export { cleanText };

/** The same on one line, cut to `width` characters. */
export function cleanLine(text: string, width: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}
