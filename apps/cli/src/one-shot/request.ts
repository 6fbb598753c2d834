import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ChoiceFlags, choicesOf, exitOnRefusal, folderOf, Refusal } from '../choices.ts';
import { cleanLine } from '../clean-text.ts';
import { type Config, configWarnings, readConfig } from '../config/config.ts';
import type { InputFormat, OutputFormat } from '../config/keys.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Attachments } from './attachments.ts';
import { hasNothingToSend } from './begin.ts';
import type { OneShotRequest } from './one-shot-request.ts';
import type { StreamInput } from './stream-input.ts';

/** The flags of a prompt, as parsed by commander. */
export interface OneShotFlags extends ChoiceFlags {
  prompt?: string;
  testCommand?: string;
  maxTurns?: number;
  addFile?: string[];
  stdin?: boolean;
  inputFormat?: InputFormat;
  jsonSchema?: string;
  outputFormat?: OutputFormat;
  json?: boolean;
  quiet?: boolean;
  plain?: boolean;
  /** A line-by-line conversation, which may start with a message. */
  isByLines?: boolean;
  message?: string | undefined;
}

export type PreparedRequest = { request: OneShotRequest; config: Config } | { exit: ExitCode };

/** Flags override settings files, which override defaults. Throws CONFIG_INVALID. */
export function prepare(flags: OneShotFlags, terminal: Terminal): Promise<PreparedRequest> {
  return exitOnRefusal(terminal, () => gather(flags, terminal));
}

async function gather(flags: OneShotFlags, terminal: Terminal): Promise<Exclude<PreparedRequest, { exit: ExitCode }>> {
  const { io, say, err } = terminal;
  const dir = folderOf(flags, io);
  checkFormats(flags);
  const isTalk = flags.inputFormat === 'stream-json';
  const { isByLines = false } = flags;
  const task = isTalk ? flags.prompt : isByLines ? flags.message : await readTask(flags, terminal);
  const { texts, pictures } = await attach(flags.addFile ?? [], io.cwd);
  const isPiped = flags.prompt !== undefined && flags.prompt !== '-' && !isTalk && !isByLines;
  const piped = isPiped ? await takePiped(flags, terminal) : undefined;
  const attachments = { texts: piped === undefined ? texts : [...texts, piped], pictures };
  if (
    !isTalk &&
    !isByLines &&
    hasNothingToSend({ task, attachments, resume: flags.resume, doesContinue: flags.continue ?? false })
  )
    throw new Refusal('no-task');

  const config = readConfig(io, dir);
  const { ruleWarnings } = await import('../commands/permissions.ts');
  for (const warning of [...configWarnings(config, say), ...(await ruleWarnings(config, terminal))])
    err(`fucina: ${warning}`);
  const format = flags.outputFormat ?? (flags.json ? 'json' : isByLines ? 'text' : config.outputFormat);
  const request: OneShotRequest = {
    task,
    attachments,
    ...choicesOf(flags, config, { io, dir }),
    testCommand: flags.testCommand,
    maxModelCalls: flags.maxTurns,
    format: isTalk ? 'stream-json' : format,
    schema: flags.jsonSchema === undefined ? undefined : await readSchema(flags.jsonSchema, io.cwd),
    input: isTalk ? await talkWith(terminal) : undefined,
    isQuiet: flags.quiet ?? false,
    isByLines,
  };
  return { request, config };
}

function checkFormats({ inputFormat, outputFormat, json }: OneShotFlags): void {
  if (inputFormat === 'stream-json' && (json || (outputFormat && outputFormat !== 'stream-json')))
    throw new Refusal('stream-both-ways');
}

async function attach(paths: readonly string[], cwd: string): Promise<Attachments> {
  if (paths.length === 0) return { texts: [], pictures: [] };
  const { AttachmentProblem, readAttachments } = await import('./attachments.ts');
  try {
    return await readAttachments(paths, cwd);
  } catch (error) {
    if (!(error instanceof AttachmentProblem)) throw error;
    throw new Refusal(`attachment.${error.kind}`, { path: error.path });
  }
}

async function takePiped({ stdin = false }: OneShotFlags, terminal: Terminal): Promise<string | undefined> {
  if (terminal.io.stdin.isTTY === true) return undefined;
  const { PipedProblem, readPiped } = await import('./piped.ts');
  try {
    return await readPiped(terminal, { isExpected: stdin });
  } catch (error) {
    if (!(error instanceof PipedProblem)) throw error;
    throw new Refusal(`piped.${error.kind}`);
  }
}

/** The schema itself, or the path of its file. */
async function readSchema(given: string, cwd: string): Promise<AnswerSchema> {
  const { readAnswerSchema } = await import('./answer-schema.ts');
  try {
    return await readAnswerSchema(
      given.trimStart().startsWith('{') ? given : readFileSync(resolve(cwd, given), 'utf8'),
    );
  } catch (error) {
    throw new Refusal('bad-schema', { why: cleanLine((error as Error).message, 300) });
  }
}

async function talkWith({ io, say, err }: Terminal): Promise<StreamInput> {
  const { readStreamInput } = await import('./stream-input.ts');
  return readStreamInput(io.stdin, (line) => err(`fucina: ${say('bad-record', { line })}`));
}

/** `-p -` and a pipe without -p read standard input; undefined without a prompt. */
async function readTask({ prompt }: OneShotFlags, { io }: Terminal): Promise<string | undefined> {
  const isPiped = prompt === undefined && io.stdin.isTTY !== true;
  const task = prompt === '-' || isPiped ? await text(io.stdin) : prompt;
  return task?.trim() ? task.trim() : undefined;
}
