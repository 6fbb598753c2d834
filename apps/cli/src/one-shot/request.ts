import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OperatingMode, ReasoningChoice, SelectablePermissionLevel } from '@fucina/shared';
import { cleanLine } from '../clean-text.ts';
import { type Config, configWarnings, readConfig } from '../config/config.ts';
import type { InputFormat, OutputFormat, PermissionMode } from '../config/keys.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { Words } from '../words/index.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Attachments } from './attachments.ts';
import { isSilent } from './begin.ts';
import type { OneShotRequest } from './one-shot.ts';
import type { StreamInput } from './stream-input.ts';

/** The flags of an assignment, as commander read them. */
export interface OneShotFlags {
  prompt?: string;
  model?: string;
  dir?: string;
  cwd?: string;
  permissionMode?: PermissionMode;
  permissions?: SelectablePermissionLevel;
  testCommand?: string;
  reasoning?: ReasoningChoice['effort'];
  resume?: string;
  continue?: boolean;
  fork?: boolean;
  maxTurns?: number;
  addFile?: string[];
  inputFormat?: InputFormat;
  jsonSchema?: string;
  outputFormat?: OutputFormat;
  json?: boolean;
  quiet?: boolean;
  dataDir?: string;
  keyStore?: string;
}

interface ModeMeaning {
  level: SelectablePermissionLevel;
  mode: OperatingMode;
}

/** The six modes of the settings file in terms of the four levels. */
const MODES: Record<PermissionMode, ModeMeaning> = {
  default: { level: 'Workspace write', mode: 'normal' },
  acceptEdits: { level: 'Workspace write', mode: 'normal' },
  auto: { level: 'Workspace write', mode: 'normal' },
  dontAsk: { level: 'Workspace write', mode: 'normal' },
  plan: { level: 'Workspace write', mode: 'plan' },
  bypassPermissions: { level: 'Full access', mode: 'normal' },
};

export type Prepared = { request: OneShotRequest; config: Config } | { exit: ExitCode };

/** Flags over settings files over defaults. Throws CONFIG_INVALID. */
export async function prepare(flags: OneShotFlags, terminal: Terminal): Promise<Prepared> {
  const { say, err } = terminal;
  try {
    return await gather(flags, terminal);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    err(`fucina: ${say(error.key, error.params)}`);
    return { exit: EXIT.usage };
  }
}

/** Wrong usage, in a sentence. */
class Refusal extends Error {
  readonly key: keyof Words;
  readonly params: Record<string, string>;

  constructor(key: keyof Words, params: Record<string, string> = {}) {
    super(key);
    this.key = key;
    this.params = params;
  }
}

async function gather(flags: OneShotFlags, terminal: Terminal): Promise<Prepared> {
  const { io, say, err } = terminal;
  checkCombination(flags);
  const dir = resolve(io.cwd, flags.dir ?? flags.cwd ?? '.');
  if (!isFolder(dir)) throw new Refusal('not-a-folder', { path: dir });
  const isTalk = flags.inputFormat === 'stream-json';
  const task = isTalk ? flags.prompt : await readTask(flags, terminal);
  const attachments = await attach(flags.addFile ?? [], io.cwd);
  const known = { resume: flags.resume, doesContinue: flags.continue ?? false };
  if (!isTalk && isSilent({ task, attachments, ...known })) throw new Refusal('no-task');

  const config = readConfig(io, dir);
  const { ruleWarnings } = await import('../commands/permissions.ts');
  for (const warning of [...configWarnings(config, say), ...(await ruleWarnings(config, terminal))])
    err(`fucina: ${warning}`);
  const isNew = flags.resume === undefined && !flags.continue;
  // A session that is resumed keeps its own settings: only flags change them.
  const chosenMode = flags.permissions
    ? undefined
    : (flags.permissionMode ?? (isNew ? config.permissionMode : undefined));
  const meaning = chosenMode && MODES[chosenMode];
  const format = flags.outputFormat ?? (flags.json ? 'json' : config.outputFormat);
  const request: OneShotRequest = {
    task,
    attachments,
    dir,
    model: flags.model ?? (isNew ? (config.model ?? (io.env.FUCINA_MODEL || undefined)) : undefined),
    level: flags.permissions ?? meaning?.level,
    mode: meaning?.mode,
    isUnattended: (flags.permissionMode ?? config.permissionMode) === 'dontAsk',
    testCommand: flags.testCommand,
    effort: flags.reasoning ?? (isNew ? config.reasoningEffort : undefined),
    ...known,
    doesFork: flags.fork ?? false,
    maxModelCalls: flags.maxTurns,
    format: isTalk ? 'stream-json' : format,
    schema: flags.jsonSchema === undefined ? undefined : await readSchema(flags.jsonSchema, io.cwd),
    input: isTalk ? await talkWith(terminal) : undefined,
    isQuiet: flags.quiet ?? false,
    host: { dataDir: flags.dataDir, keyStore: flags.keyStore, dir },
  };
  return { request, config };
}

function checkCombination(flags: OneShotFlags): void {
  const isKnown = flags.resume !== undefined;
  if (isKnown && (flags.dir ?? flags.cwd) !== undefined) throw new Refusal('resume-keeps-folder');
  if (flags.fork && !isKnown && !flags.continue) throw new Refusal('fork-of-nothing');
  const { inputFormat, outputFormat, json } = flags;
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

/** Given as it is, or the path of the file that holds it. */
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

/** `-p -` and a pipe without -p read standard input; undefined when nothing was said. */
async function readTask({ prompt }: OneShotFlags, { io }: Terminal): Promise<string | undefined> {
  const isPiped = prompt === undefined && io.stdin.isTTY !== true;
  const task = prompt === '-' || isPiped ? await text(io.stdin) : prompt;
  return task?.trim() ? task.trim() : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
