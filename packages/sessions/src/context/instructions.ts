import { PathError, realFolder } from '@fucina/shared';
import { type AgentDefinitions, readAgentDefinitions } from './agent-definitions.ts';
import { type CursorRule, readCursorRules } from './cursor-rules.ts';
import { type InstructionSource, type LeftOutReason, readBeginning, textOf } from './instruction-source.ts';

export interface Instructions {
  /** For the prompt; empty without instructions. */
  text: string;
  /** What was found, by precedence. */
  sources: InstructionSource[];
}

/** Limit for all instruction files together; the model is informed of the truncation. */
const INSTRUCTIONS_LIMIT = 24_000;
/** Of each folder the first that exists. */
const OWN_FILES = ['AGENTS.md', 'CLAUDE.md'];
const COPILOT = '.github/copilot-instructions.md';
const OLD_CURSOR_RULES = '.cursorrules';
const LIST_HEAD =
  'Project rules for some files or subjects. Read one before you work on files that match it or on its subject:';
const AGENTS_HEAD = 'Agents of the project, to whom tasks can be given by name:';

interface Reading {
  root: string;
  /** Bytes left of the limit. */
  room: number;
  parts: string[];
  sources: InstructionSource[];
  /** What is in the prompt, to send nothing twice. */
  texts: Set<string>;
}

/**
 * The instructions of a folder and of the `inner` ones ('' is the folder itself), outermost first: AGENTS.md, else
 * CLAUDE.md; then, as additions, the files of other tools. All share one limit, in this order.
 */
export async function readInstructions(folder: string, inner: readonly string[]): Promise<Instructions> {
  const root = await realFolder(folder).catch((error: unknown) => {
    if (error instanceof PathError) return undefined;
    throw error;
  });
  if (root === undefined) return { text: '', sources: [] };
  const reading: Reading = { root, room: INSTRUCTIONS_LIMIT, parts: [], sources: [], texts: new Set() };
  for (const each of inner) await readOwn(reading, each);
  await readAddition(reading, COPILOT);
  const rules = await readCursorRules(root, INSTRUCTIONS_LIMIT);
  for (const rule of rules) if (rule.use.kind === 'always') add(reading, rule, rule.use.text);
  addList(reading, rules);
  await readAddition(reading, OLD_CURSOR_RULES);
  addAgents(reading, await readAgentDefinitions(root));
  return { text: reading.parts.join('\n\n'), sources: reading.sources };
}

async function readOwn(reading: Reading, inner: string): Promise<void> {
  let isFound = false;
  for (const name of OWN_FILES) {
    const path = inner ? `${inner}/${name}` : name;
    const read = await readBeginning(reading.root, path, isFound ? 0 : reading.room);
    if (!read) continue;
    if ('reason' in read) leaveOut(reading, { path, sizeBytes: 0 }, read.reason);
    else if (isFound) leaveOut(reading, { path, sizeBytes: read.sizeBytes }, 'replaced');
    else {
      isFound = true;
      const where = inner ? `, for what is in ${inner}/` : '';
      send(reading, { path, sizeBytes: read.sizeBytes, where, isCut: read.bytes.length < read.sizeBytes }, read.bytes);
    }
  }
}

async function readAddition(reading: Reading, path: string): Promise<void> {
  const read = await readBeginning(reading.root, path, INSTRUCTIONS_LIMIT);
  if (!read) return;
  if ('reason' in read) leaveOut(reading, { path, sizeBytes: 0 }, read.reason);
  else add(reading, { path, sizeBytes: read.sizeBytes }, textOf(read.bytes));
}

/** Unlike the folder's own files, an addition without room is not mentioned: there can be many. */
function add(reading: Reading, file: { path: string; sizeBytes: number }, text: string): void {
  if (!text.trim()) leaveOut(reading, file, 'empty');
  else if (reading.texts.has(text.trim())) leaveOut(reading, file, 'same-text');
  else if (reading.room === 0) leaveOut(reading, file, 'limit');
  else {
    const bytes = Buffer.from(text);
    const isCut = bytes.length > reading.room || file.sizeBytes > INSTRUCTIONS_LIMIT;
    send(reading, { ...file, where: '', isCut }, bytes.subarray(0, reading.room));
  }
}

interface SentFile {
  path: string;
  sizeBytes: number;
  where: string;
  isCut: boolean;
}

function send(reading: Reading, { path, sizeBytes, where, isCut }: SentFile, bytes: Buffer): void {
  const text = textOf(bytes);
  const note = isCut ? `\n[Truncated: ${path} is ${sizeBytes} bytes; read the rest from the file.]` : '';
  reading.parts.push(`Project instructions from ${path}${where}:\n${text}${note}`);
  reading.room -= bytes.length;
  reading.texts.add(text.trim());
  reading.sources.push({ path, sizeBytes, state: isCut ? 'truncated' : 'sent', reason: null, ignored: [] });
}

/** One part for the rules that the model reads itself. */
function addList(reading: Reading, rules: readonly CursorRule[]): void {
  const lines: string[] = [];
  for (const { path, sizeBytes, use } of rules) {
    if (use.kind === 'left-out') leaveOut(reading, { path, sizeBytes }, use.reason);
    if (use.kind !== 'listed') continue;
    const bytes = Buffer.byteLength(use.line) + 1 + (lines.length === 0 ? LIST_HEAD.length : 0);
    if (bytes > reading.room) leaveOut(reading, { path, sizeBytes }, 'limit');
    else {
      reading.room -= bytes;
      lines.push(use.line);
      reading.sources.push({ path, sizeBytes, state: 'listed', reason: null, ignored: [] });
    }
  }
  if (lines.length > 0) reading.parts.push([LIST_HEAD, ...lines].join('\n'));
}

/** One part for the kinds of sub-agents of the project. */
function addAgents(reading: Reading, { agents, leftOut }: AgentDefinitions): void {
  const lines: string[] = [];
  for (const { name, description, path, sizeBytes, unknownTools } of agents) {
    const line = `- ${name}: ${description}`;
    const bytes = Buffer.byteLength(line) + 1 + (lines.length === 0 ? AGENTS_HEAD.length : 0);
    if (bytes > reading.room) leaveOut(reading, { path, sizeBytes }, 'limit');
    else {
      reading.room -= bytes;
      lines.push(line);
      reading.sources.push({ path, sizeBytes, state: 'offered', reason: null, ignored: unknownTools });
    }
  }
  reading.sources.push(...leftOut);
  if (lines.length > 0) reading.parts.push([AGENTS_HEAD, ...lines].join('\n'));
}

function leaveOut(
  reading: Reading,
  { path, sizeBytes }: { path: string; sizeBytes: number },
  reason: LeftOutReason,
): void {
  reading.sources.push({ path, sizeBytes, state: 'left-out', reason, ignored: [] });
}
