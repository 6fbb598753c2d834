import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperatingMode, ReasoningChoice, SelectablePermissionLevel } from '@fucina/shared';
import type { Config } from './config/config.ts';
import type { PermissionMode } from './config/keys.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { HostChoice } from './open-host.ts';
import type { Terminal } from './terminal.ts';
import type { Words } from './words/index.ts';

/** The flags that choose a conversation and its settings, as parsed by commander. */
export interface ChoiceFlags {
  model?: string;
  dir?: string;
  cwd?: string;
  permissionMode?: PermissionMode;
  permissions?: SelectablePermissionLevel;
  reasoning?: ReasoningChoice['effort'];
  resume?: string;
  continue?: boolean;
  fork?: boolean;
  /** True without a name. */
  worktree?: string | true;
  copyEnv?: boolean;
  pr?: number;
  dataDir?: string;
  keyStore?: string;
}

/** The chosen conversation, folder and settings. Undefined settings stay as they are, or get defaults. */
export interface Choices {
  /** Absolute. */
  dir: string;
  model: string | undefined;
  level: SelectablePermissionLevel | undefined;
  mode: OperatingMode | undefined;
  /** Requests for approval are denied. */
  isUnattended: boolean;
  effort: ReasoningChoice['effort'];
  resume: string | undefined;
  /** Continues the newest conversation of the folder. */
  doesContinue: boolean;
  /** Continues a fork. */
  doesFork: boolean;
  /** A new session works in a worktree. */
  worktree: { name: string | undefined; pullRequest: number | undefined; copiesLocalFiles: boolean } | undefined;
  host: HostChoice;
}

interface ModeMeaning {
  level: SelectablePermissionLevel;
  mode: OperatingMode;
}

/** The six modes of the settings file in terms of the four levels. */
export const MODES: Readonly<Record<PermissionMode, ModeMeaning>> = {
  default: { level: 'Workspace write', mode: 'normal' },
  acceptEdits: { level: 'Workspace write', mode: 'normal' },
  auto: { level: 'Workspace write', mode: 'normal' },
  dontAsk: { level: 'Workspace write', mode: 'normal' },
  plan: { level: 'Workspace write', mode: 'plan' },
  bypassPermissions: { level: 'Full access', mode: 'normal' },
};

/** Invalid usage, as a sentence. */
export class Refusal extends Error {
  readonly key: keyof Words;
  readonly params: Record<string, string>;

  constructor(key: keyof Words, params: Record<string, string> = {}) {
    super(key);
    this.key = key;
    this.params = params;
  }
}

/** The choices, or the exit code for invalid usage, which was then printed on standard error. */
export async function exitOnRefusal<Gathered extends object>(
  { say, err }: Terminal,
  gather: () => Promise<Gathered>,
): Promise<Gathered | { exit: ExitCode }> {
  try {
    return await gather();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    err(`fucina: ${say(error.key, error.params)}`);
    return { exit: EXIT.usage };
  }
}

/** The absolute folder. Throws Refusal for conflicting flags, and for a missing folder. */
export function folderOf(flags: ChoiceFlags, io: Io): string {
  const isKnown = flags.resume !== undefined;
  if (isKnown && (flags.dir ?? flags.cwd) !== undefined) throw new Refusal('resume-keeps-folder');
  if (flags.fork && !isKnown && !flags.continue) throw new Refusal('fork-of-nothing');
  if (flags.worktree !== undefined && (isKnown || flags.continue)) throw new Refusal('worktree-needs-new');
  if (flags.pr !== undefined && (isKnown || flags.continue || typeof flags.worktree === 'string'))
    throw new Refusal('pr-needs-new');
  if (flags.copyEnv && flags.worktree === undefined && flags.pr === undefined)
    throw new Refusal('copy-env-needs-worktree');
  const dir = resolve(io.cwd, flags.dir ?? flags.cwd ?? '.');
  const isFolder = statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) throw new Refusal('not-a-folder', { path: dir });
  return dir;
}

/** Flags override settings files, which override the environment. */
export function choicesOf(flags: ChoiceFlags, config: Config, { io, dir }: { io: Io; dir: string }): Choices {
  const isNew = flags.resume === undefined && !flags.continue;
  // A resumed session keeps its own settings: only flags change them.
  const chosenMode = flags.permissions
    ? undefined
    : (flags.permissionMode ?? (isNew ? config.permissionMode : undefined));
  const meaning = chosenMode && MODES[chosenMode];
  return {
    dir,
    model: flags.model ?? (isNew ? (config.model ?? (io.env.FUCINA_MODEL || undefined)) : undefined),
    level: flags.permissions ?? meaning?.level,
    mode: meaning?.mode,
    isUnattended: (flags.permissionMode ?? config.permissionMode) === 'dontAsk',
    effort: flags.reasoning ?? (isNew ? config.reasoningEffort : undefined),
    resume: flags.resume,
    doesContinue: flags.continue ?? false,
    doesFork: flags.fork ?? false,
    worktree: worktreeOf(flags),
    host: { dataDir: flags.dataDir, keyStore: flags.keyStore, dir },
  };
}

function worktreeOf({ worktree, pr, copyEnv = false }: ChoiceFlags): Choices['worktree'] {
  if (worktree === undefined && pr === undefined) return undefined;
  return { name: worktree === true ? undefined : worktree, pullRequest: pr, copiesLocalFiles: copyEnv };
}
