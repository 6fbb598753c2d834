import { isWordKey, type Words } from '../words/words.ts';

type Say = Words['say'];

/** Label of an argument: ours are translated, those of other tools are unchanged. */
export function argumentName(name: string, say: Say): string {
  const key = `argument.${name}`;
  return isWordKey(key) ? say(key) : name;
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A value as text; nested values have one line per part. */
export function printedValue(value: unknown, say: Say): string {
  if (typeof value === 'boolean') return say(value ? 'argument.yes' : 'argument.no');
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((part) => `- ${indented(printedValue(part, say))}`).join('\n');
  return Object.entries(value)
    .map(([name, part]) => `${argumentName(name, say)}: ${indented(printedValue(part, say))}`)
    .join('\n');
}
