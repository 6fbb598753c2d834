import { jsonrepair } from 'jsonrepair';

/** Arguments that are no JSON object, made one; undefined where this repair does not apply. */
interface TextRepair {
  remark: string;
  repair(text: string): string | undefined;
}

/** In order; each works on what the ones before it left. */
const TEXT_REPAIRS: readonly TextRepair[] = [
  { remark: 'a control token after the arguments was left out', repair: withoutControlToken },
  { remark: 'the code fence around the arguments was left out', repair: withoutFence },
  { remark: 'arguments that were a JSON text inside a string were taken out of it', repair: outOfString },
  { remark: 'the arguments were sent twice and taken once', repair: takenOnce },
  { remark: 'a patch without its parameter was taken as `input`', repair: barePatch },
  { remark: 'single backslashes in the arguments were doubled', repair: withBackslashesDoubled },
  {
    remark: 'the JSON of the arguments was repaired (quotes, commas, line breaks or brackets)',
    repair: withJsonRepaired,
  },
];

export interface RepairedText {
  text: string;
  remarks: readonly string[];
}

/** The JSON of an object; undefined where nothing made it one. */
export function repairedText(text: string): RepairedText | undefined {
  const remarks: string[] = [];
  let current = text.trim();
  for (const { remark, repair } of TEXT_REPAIRS) {
    if (isObject(current)) break;
    const repaired = repair(current);
    if (repaired === undefined || repaired === current) continue;
    current = repaired;
    remarks.push(remark);
  }
  return isObject(current) ? { text: current, remarks } : undefined;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function withoutControlToken(text: string): string {
  return text.replace(/(?:\s*(?:<\|[\w-]+\|>|<\/(?:tool_call|function_call|function|arguments)>))+\s*$/, '');
}

function withoutFence(text: string): string | undefined {
  return /^```\w*\s*\n?([\s\S]*?)\n?\s*```$/.exec(text)?.[1]?.trim();
}

function outOfString(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' ? inner.trim() : undefined;
  } catch {
    return undefined;
  }
}

function takenOnce(text: string): string | undefined {
  const half = text.length / 2;
  for (const gap of ['', '\n', ' ', ',', ', ']) {
    const length = (text.length - gap.length) / 2;
    if (!Number.isInteger(length) || length > half) continue;
    const first = text.slice(0, length);
    if (text === first + gap + first && isObject(first)) return first;
  }
  return undefined;
}

function barePatch(text: string): string | undefined {
  return text.startsWith('*** Begin Patch') ? JSON.stringify({ input: text }) : undefined;
}

/** `\\d` in a pattern or `C:\\src`: JSON has no such escapes, and the library would drop the backslash. */
function withBackslashesDoubled(text: string): string {
  return text.replaceAll(/\\(?:["\\/bfnrt]|u[\da-f]{4})|\\/gi, (escape) => (escape === '\\' ? '\\\\' : escape));
}

/** A text that is not an object at all is refused: the library would make one of anything. */
function withJsonRepaired(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return jsonrepair(text);
  } catch {
    return undefined;
  }
}
