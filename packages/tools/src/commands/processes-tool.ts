import { readFile } from 'node:fs/promises';
import { type Ambient, type Tool, type ToolResult, textStart } from '@fucina/shared';
import * as z from 'zod';
import { plural } from '../cut.ts';
import { OUTPUT_CHARS } from '../limits.ts';
import { linesWith, windowText } from '../line-window.ts';
import { failure } from '../located-path.ts';
import { roomIn } from '../result-room.ts';
import { plainOutput } from '../terminal-text.ts';
import type { OutputTail } from './output-recorder.ts';
import type { OutputStore } from './output-store.ts';
import type { CommandRunner, RunningCommand } from './runner.ts';

const input = z.strictObject({
  azione: z.enum(['elenco', 'leggi', 'ferma']).describe('list, read the output, end'),
  id: z.string().min(1).max(200).optional().describe('of the call that started the command'),
  flusso: z.enum(['stdout', 'stderr']).optional(),
  da: z.int().min(1).optional().describe('first line, from 1'),
  righe: z.int().min(1).max(5000).optional().describe('how many lines'),
  testo: z.string().min(1).max(200).optional().describe('lines with it'),
});
type Input = z.infer<typeof input>;

const MAX_COMMAND_CHARS = 160;

/** Needs no permission: it reads or stops what this session was allowed to start. */
export function createProcessesTool(needs: {
  ambient: Ambient;
  runner: CommandRunner;
  outputs: OutputStore;
}): Tool<Input> {
  return {
    name: 'processi',
    description: 'Background commands: list or end them; read or search the output of any command.',
    category: 'base',
    effect: 'control',
    gate: null,
    input,
    action: ({ azione, id }) => ({ tipo: 'processi', azione, ...(id === undefined ? {} : { id }) }),
    async run(wanted, context) {
      const { sessionId } = context;
      if (wanted.azione === 'elenco') return { content: listed(needs, sessionId) };
      if (wanted.id === undefined) return failure(`Give the id of the command to ${VERBS[wanted.azione]}.`);
      return wanted.azione === 'leggi'
        ? readOutput(needs, { ...wanted, sessionId, id: wanted.id, maxBytes: roomIn(context, OUTPUT_CHARS) })
        : end(needs, sessionId, wanted.id);
    },
  };
}

const VERBS = { leggi: 'read', ferma: 'end' } as const;

function listed({ ambient, runner }: { ambient: Ambient; runner: CommandRunner }, sessionId: string): string {
  const background = runner.list(sessionId).filter(({ isBackground }) => isBackground);
  if (background.length === 0) return 'Nothing runs in the background.';
  return background
    .map((one) => `${one.id}  ${stateOf(one, ambient.monotonic())}  ${firstLine(one.command)}`)
    .join('\n');
}

function stateOf({ outcome, startedAt }: RunningCommand, now: number): string {
  if (!outcome) return `running for ${Math.round((now - startedAt) / 1000)} s`;
  return outcome.exitCode === null
    ? `ended by ${outcome.signal ?? 'a signal'}`
    : `ended, exit code ${outcome.exitCode}`;
}

function firstLine(command: string): string {
  const line = plainOutput(command.split('\n', 1)[0] ?? '');
  return line.length < command.trim().length || line.length > MAX_COMMAND_CHARS
    ? `${textStart(line, MAX_COMMAND_CHARS)} …`
    : line;
}

type OutputRequest = Input & { sessionId: string; id: string; maxBytes: number };

async function readOutput(
  { runner, outputs }: { runner: CommandRunner; outputs: OutputStore },
  { sessionId, id, flusso = 'stdout', da, righe, testo, maxBytes }: OutputRequest,
): Promise<ToolResult> {
  const kept = await outputs.find(sessionId, id, flusso);
  if (!kept) return failure(`There is no kept output of ${JSON.stringify(id)} in this session.`);
  const tail = await outputs.tail(sessionId, id, flusso);
  const text = withTail(plainOutput(await readFile(kept.file, 'utf8')), tail);
  const running = runner.list(sessionId).find((one) => one.id === id);
  if (kept.state !== 'running') await running?.done;
  const state = kept.state === 'running' ? 'still running' : running?.outcome ? stateOf(running, 0) : 'over';
  const missing = tail
    ? tail.missingBytes > 0 && `${plural(tail.missingBytes, 'byte')} in its middle were not kept`
    : kept.state === 'truncated' && `only the first ${plural(kept.availableBytes, 'byte')} were kept`;
  const cut = missing ? `; ${missing}` : '';
  const body = text === '' ? '(no output)' : shownOutput(text, { da, righe, testo, maxBytes });
  const content = `[${flusso}, ${state}${cut}]\n${body}`;
  // A command that ends during the read is reported as running: the next read reports its end, and with it what it wrote.
  return kept.state === 'running' ? { content } : { content, ...controlWritesOf(running) };
}

function shownOutput(
  text: string,
  { da, righe, testo, maxBytes }: Pick<OutputRequest, 'da' | 'righe' | 'testo' | 'maxBytes'>,
): string {
  if (testo !== undefined) return linesWith(text, testo, { from: da ?? 1, maxBytes });
  return windowText(text, { da, righe, subject: 'kept output', maxBytes, showsEnd: true });
}

/** The beginning and the newest part as one text, with a line where something is missing. */
function withTail(text: string, tail: OutputTail | undefined): string {
  if (!tail) return text;
  const newest = plainOutput(tail.bytes.toString('utf8'));
  if (tail.missingBytes === 0) return text + newest;
  return `${text}\n[… ${plural(tail.missingBytes, 'byte')} not kept; the lines below are the newest …]\n${newest}`;
}

async function end({ runner }: { runner: CommandRunner }, sessionId: string, id: string): Promise<ToolResult> {
  const running = runner.list(sessionId).find((one) => one.id === id && one.isBackground);
  if (!running) return failure(`No background command ${JSON.stringify(id)} in this session. See elenco.`);
  if (running.outcome) return { content: `It is over already: ${stateOf(running, 0)}.`, ...controlWritesOf(running) };
  await running.stop();
  return { content: `Ended ${id}.`, ...controlWritesOf(running) };
}

/** For a background command they are returned once, at the first read after its end. */
function controlWritesOf(running: RunningCommand | undefined): Pick<ToolResult, 'controlWrites'> {
  if (!running?.isBackground || !running.outcome) return {};
  const controlWrites = running.takeControlWrites();
  return controlWrites.length > 0 ? { controlWrites } : {};
}
