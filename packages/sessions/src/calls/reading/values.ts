import type { Tool } from '@fucina/shared';
import type * as z from 'zod';

/** One thing that a schema refuses. */
interface Problem {
  tool: string;
  issue: z.core.$ZodIssue;
  /** The object or list that has the value. */
  parent: Record<string, unknown>;
  key: string;
  value: unknown;
}

interface ValueRepair {
  remark(problem: Problem): string;
  /** Changes the parent; false where this repair does not apply. */
  repair(problem: Problem): boolean;
}

/** In order: the first that applies to a problem is made. */
const VALUE_REPAIRS: readonly ValueRepair[] = [
  { remark: () => 'the first of the edits was taken as the edit', repair: firstEdit },
  { remark: () => 'the folder was written into the command as `cd`', repair: folderOfCommand },
  { remark: ({ key }) => `null for ${key} was taken as absent`, repair: withoutNull },
  { remark: ({ key }) => `${key} is no parameter and was left out`, repair: withoutExtra },
  { remark: ({ key }) => `${key} was read as milliseconds`, repair: millisecondsAsSeconds },
  { remark: ({ key }) => `${key} was a string and is now a number`, repair: numberInText },
  { remark: ({ key }) => `${key} was a string and is now true or false`, repair: truthInText },
  { remark: ({ key }) => `${key} was JSON inside a string`, repair: jsonInText },
  { remark: ({ key }) => `${key} was a list of words and is now one command line`, repair: commandOfWords },
  { remark: ({ key }) => `${key} was an object and is now its JSON`, repair: jsonOfContent },
  { remark: ({ key }) => `${key} was one value and is now a list`, repair: listOfOne },
];

const MAX_REPAIRS = 40;

/** Parses the arguments of a call, which it may change; what its schema refuses is repaired where only one meaning is possible. */
export function parsedInput(
  tool: Tool,
  json: unknown,
): { parsed: z.ZodSafeParseResult<unknown>; remarks: readonly string[] } {
  let parsed = tool.input.safeParse(json);
  const remarks = new Set<string>();
  if (parsed.success || typeof json !== 'object' || json === null) return { parsed, remarks: [] };
  for (let count = 0; !parsed.success && count < MAX_REPAIRS; count += 1) {
    const remark = repairOne(tool.name, json, parsed.error.issues);
    if (remark === undefined) break;
    remarks.add(remark);
    parsed = tool.input.safeParse(json);
  }
  return { parsed, remarks: parsed.success ? [...remarks] : [] };
}

function repairOne(tool: string, json: object, issues: readonly z.core.$ZodIssue[]): string | undefined {
  const problems = issues.flatMap((issue) => problemsOf(tool, json, issue));
  for (const { remark, repair } of VALUE_REPAIRS) {
    for (const problem of problems) if (repair(problem)) return remark(problem);
  }
  return undefined;
}

function problemsOf(tool: string, json: object, issue: z.core.$ZodIssue): Problem[] {
  const isExtra = issue.code === 'unrecognized_keys';
  const paths = isExtra ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.flatMap((path) => {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isHolder(at) ? at[String(key)] : undefined), json);
    const key = path.at(-1);
    if (!isHolder(parent) || key === undefined) return [];
    return [{ tool, issue, parent, key: String(key), value: parent[String(key)] }];
  });
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isExpected({ issue }: Problem, ...types: string[]): boolean {
  return issue.code === 'invalid_type' && types.includes(issue.expected);
}

/** As a list of edits alone. */
function firstEdit({ tool, parent, key }: Problem): boolean {
  const { altre } = parent;
  if (tool !== 'file_edit' || key !== 'vecchio' || !Array.isArray(altre) || parent.vecchio !== undefined) return false;
  const [first, ...others] = altre as Record<string, unknown>[];
  if (!isHolder(first)) return false;
  const { vecchio, nuovo, tutte } = first;
  Object.assign(parent, { vecchio, nuovo, ...(tutte !== undefined && { tutte }), altre: others });
  return true;
}

const FOLDER_KEYS = new Set(['workdir', 'cwd', 'working_directory', 'dir', 'directory', 'workingDirectory']);

function folderOfCommand({ tool, parent, key, value, issue }: Problem): boolean {
  if (tool !== 'shell' || issue.code !== 'unrecognized_keys' || !FOLDER_KEYS.has(key)) return false;
  if (typeof value !== 'string' || typeof parent.comando !== 'string' || value.includes('\0')) return false;
  delete parent[key];
  if (value !== '' && value !== '.') parent.comando = `cd -- '${value.replaceAll("'", `'\\''`)}' && ${parent.comando}`;
  return true;
}

/** One that is required is then missing. */
function withoutNull({ parent, key, value }: Problem): boolean {
  if (value !== null || Array.isArray(parent)) return false;
  delete parent[key];
  return true;
}

function withoutExtra({ issue, parent, key }: Problem): boolean {
  if (issue.code !== 'unrecognized_keys') return false;
  delete parent[key];
  return true;
}

/** Ten minutes; more is no slip of the unit. */
const MAX_MILLISECONDS = 600_000;

function millisecondsAsSeconds({ tool, issue, parent, key, value }: Problem): boolean {
  if (tool !== 'shell' || key !== 'secondi' || issue.code !== 'too_big' || typeof value !== 'number') return false;
  if (value < 1_000 || value > MAX_MILLISECONDS) return false;
  parent[key] = Math.ceil(value / 1_000);
  return true;
}

function numberInText(problem: Problem): boolean {
  const { parent, key, value } = problem;
  if (!isExpected(problem, 'number', 'int') || typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value.trim()))
    return false;
  parent[key] = Number(value);
  return true;
}

function truthInText(problem: Problem): boolean {
  const { parent, key, value } = problem;
  const truth = typeof value === 'string' ? /^(?:true|(false))$/i.exec(value.trim()) : null;
  if (!isExpected(problem, 'boolean') || !truth) return false;
  parent[key] = truth[1] === undefined;
  return true;
}

function jsonInText(problem: Problem): boolean {
  const { parent, key, value } = problem;
  if (!isExpected(problem, 'array', 'object', 'record') || typeof value !== 'string') return false;
  try {
    const inner: unknown = JSON.parse(value);
    if (!isHolder(inner)) return false;
    parent[key] = inner;
    return true;
  } catch {
    return false;
  }
}

const SHELLS = /^(?:\/bin\/|\/usr\/bin\/)?(?:bash|sh|zsh)$/;

function commandOfWords(problem: Problem): boolean {
  const { tool, parent, key, value } = problem;
  if (tool !== 'shell' || key !== 'comando' || !Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    return false;
  const [program = '', flag = '', line] = value as string[];
  const isShell = SHELLS.test(program) && /^-l?c$/.test(flag) && line !== undefined && value.length === 3;
  parent[key] = isShell ? line : (value as string[]).map(quotedWord).join(' ');
  return true;
}

function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A JSON file written as an object. */
function jsonOfContent(problem: Problem): boolean {
  const { parent, key, value } = problem;
  if (key !== 'contenuto' || !isExpected(problem, 'string') || !isHolder(value)) return false;
  parent[key] = `${JSON.stringify(value, null, 2)}\n`;
  return true;
}

function listOfOne(problem: Problem): boolean {
  const { parent, key, value } = problem;
  if (!isExpected(problem, 'array') || value === undefined || value === null || Array.isArray(value)) return false;
  if (typeof value === 'string' && value.trim().startsWith('[')) return false;
  parent[key] = [value];
  return true;
}
