import type { Node, ParseError } from 'jsonc-parser';
import type * as z from 'zod';

/** What a JSON file holds, or what is wrong with it: one sentence with the place, the key and what is allowed. */
export type ReadJson<Value> = { value: Value } | { problem: string };

const MOST = 500;
const MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a value',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'expected the end of the text, a double quote',
  UnexpectedEndOfNumber: 'expected a digit',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected one of " \\ / b f n r t u after \\',
  InvalidCharacter: 'control characters must be escaped',
};

/** Reads a JSON text that users write. `file` is its name in the sentence; places count from 1. */
export async function readJson<Value>(text: string, file: string, schema: z.ZodType<Value>): Promise<ReadJson<Value>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: sentence(file, await syntaxProblem(text, error as SyntaxError)) };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  return { problem: sentence(file, await valueProblem(text, parsed.error)) };
}

/** Line and column of an offset, from 1. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Where, in a JSON text, the character at `at` of the string is whose literal begins at `offset`. */
export function placeInString(text: string, offset: number, at: number): { line: number; column: number } {
  let raw = offset + 1;
  for (let read = 0; read < at; read += 1) raw += text[raw] !== '\\' ? 1 : text[raw + 1] === 'u' ? 6 : 2;
  return placeAt(text, raw);
}

/** What an issue of a schema allows. */
export function allowedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return 'unknown key';
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? allowedBy(issue.issues[0]) : issue.message;
    case 'invalid_format':
      return issue.message.replace(/^Invalid string: must match/, 'expected text that matches');
    default:
      return issue.message.replace(/^Too (?:big|small): /, '').replace(/^Invalid input: /, '');
  }
}

interface Problem {
  place: ReturnType<typeof placeAt>;
  key: string;
  allowed: string;
}

function sentence(file: string, { place, key, allowed }: Problem): string {
  const whole = `${file}:${place.line}:${place.column}: ${key === '' ? '' : `${key}: `}${allowed}`;
  return whole.length > MOST ? `${whole.slice(0, MOST - 1)}…` : whole;
}

async function syntaxProblem(text: string, { message }: SyntaxError): Promise<Problem> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const options = { disallowComments: true, allowTrailingComma: false };
  const root = withinStack(() => parseTree(text, errors, options));
  const [first] = errors;
  if (!first) return { place: placeAt(text, 0), key: '', allowed: message };
  const key = root ? keyAt(root, first.offset) : '';
  return { place: placeAt(text, first.offset), key, allowed: MESSAGES[printParseErrorCode(first.error)] ?? message };
}

async function valueProblem(text: string, { issues }: z.ZodError): Promise<Problem> {
  const { parseTree } = await import('jsonc-parser');
  const [issue] = issues;
  const root = withinStack(() => parseTree(text));
  if (!issue) return { place: placeAt(text, 0), key: '', allowed: 'not as it should be' };
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown].map(String);
  const isName = unknown.length > 0 || issue.code === 'invalid_key';
  const offset = root ? offsetOf(root, path, isName) : 0;
  return { place: placeAt(text, offset), key: path.join('.'), allowed: allowedBy(issue) };
}

/** jsonc-parser is recursive. */
function withinStack<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Of the value at the path or, for a missing one, of the deepest value above it; `isName`: of its key. */
function offsetOf(root: Node, path: readonly string[], isName: boolean): number {
  let node = root;
  for (const [index, step] of path.entries()) {
    // Of a key that is there twice, JSON takes the last.
    const named = node.children?.findLast(({ children }) => String(children?.[0]?.value) === step)?.children;
    const next = node.type === 'object' ? named?.[1] : node.children?.[Number(step)];
    if (isName && index === path.length - 1 && named?.[0]) return named[0].offset;
    if (!next) return node.offset;
    node = next;
  }
  return node.offset;
}

/** The path of the innermost key around an offset. */
function keyAt(root: Node, offset: number): string {
  const keys: string[] = [];
  let node: Node | undefined = root;
  while (node) {
    if (node.type === 'property') keys.push(String(node.children?.[0]?.value));
    if (node.parent?.type === 'array') keys.push(String(node.parent.children?.indexOf(node)));
    node = node.children?.findLast((child) => child.offset <= offset && offset <= child.offset + child.length);
  }
  return keys.join('.');
}
