import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OperatingMode, ReasoningChoice, SelectablePermissionLevel } from '@fucina/shared';
import { type Config, readConfig } from '../config/config.ts';
import type { OutputFormat, PermissionMode } from '../config/keys.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { OneShotRequest } from './one-shot.ts';

/** The flags of an assignment, as commander read them. */
export interface OneShotFlags {
  prompt?: string;
  model?: string;
  dir?: string;
  permissionMode?: PermissionMode;
  permissions?: SelectablePermissionLevel;
  testCommand?: string;
  reasoning?: ReasoningChoice['effort'];
  resume?: string;
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
  const { io, say, err } = terminal;
  const refuse = (sentence: string): Prepared => {
    err(`fucina: ${sentence}`);
    return { exit: EXIT.usage };
  };
  if (flags.resume !== undefined && flags.dir !== undefined) return refuse(say('resume-keeps-folder'));
  const dir = resolve(io.cwd, flags.dir ?? '.');
  if (!isFolder(dir)) return refuse(say('not-a-folder', { path: dir }));
  const task = await readTask(flags, terminal);
  if (task === undefined && flags.resume === undefined) return refuse(say('no-task'));

  const config = readConfig(io, dir, say);
  for (const warning of config.warnings) err(`fucina: ${warning}`);
  const isNew = flags.resume === undefined;
  // A session that is resumed keeps its own settings: only flags change them.
  const chosenMode = flags.permissions
    ? undefined
    : (flags.permissionMode ?? (isNew ? config.permissionMode : undefined));
  const meaning = chosenMode && MODES[chosenMode];
  const request: OneShotRequest = {
    task,
    dir,
    model: flags.model ?? (isNew ? (config.model ?? (io.env.FUCINA_MODEL || undefined)) : undefined),
    level: flags.permissions ?? meaning?.level,
    mode: meaning?.mode,
    isUnattended: (flags.permissionMode ?? config.permissionMode) === 'dontAsk',
    testCommand: flags.testCommand,
    effort: flags.reasoning ?? (isNew ? config.reasoningEffort : undefined),
    resume: flags.resume,
    format: flags.outputFormat ?? (flags.json ? 'json' : config.outputFormat),
    isQuiet: flags.quiet ?? false,
    host: { dataDir: flags.dataDir, keyStore: flags.keyStore },
  };
  return { request, config };
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
