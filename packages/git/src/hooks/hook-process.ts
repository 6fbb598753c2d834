import { delimiter, isAbsolute } from 'node:path';
import { type Ambient, type Environment, runProcess } from '@fucina/shared';
import { foldersOutside, type HookFiles } from './hook-files.ts';
import type { HookPlace } from './hook-trust.ts';

/** An access that the sandbox refused to a hook. */
export interface RefusedAccess {
  kind: 'network' | 'read' | 'write';
  /** `host:port`, or a path. */
  subject: string;
  /** The sandbox rule that would allow it; null if none can. */
  rule: string | null;
}

export interface SandboxedHook {
  /** Unique; a hook runs once at a time. */
  id: string;
  /** A line for a POSIX shell; both streams are one. */
  command: string;
  /** Absolute real path of the work tree. */
  folder: string;
  /** Absolute paths of folders outside it that the hook is read from. */
  reads: readonly string[];
  signal: AbortSignal;
  onText(text: string): void;
}

/** Runs hooks as commands of an agent in that folder run: same view, same network policy, nobody to ask. */
export interface HookSandbox {
  /** Undefined where no sandbox works: then nothing ran. */
  run(hook: SandboxedHook): Promise<{ exitCode: number | null; refused: RefusedAccess[] } | undefined>;
}

/** As git calls it. */
export interface HookCall {
  args: readonly string[];
  input?: string;
  /** Absolute path of the index that the hook sees and may change. */
  index?: string;
}

export interface HookEnd {
  /** Null when it was stopped, killed or never started. */
  exitCode: number | null;
  refused: RefusedAccess[];
  /** No sandbox works here, so the hook was not started. */
  isWithoutSandbox: boolean;
}

export interface HookProcessNeeds {
  ambient: Ambient;
  environment: Environment;
  hookSandbox?: HookSandbox;
}

export interface HookStart extends HookCall, Pick<SandboxedHook, 'id' | 'signal' | 'onText'> {
  hook: HookFiles;
  root: string;
  runs: HookPlace;
}

export async function runHookProcess(needs: HookProcessNeeds, start: HookStart): Promise<HookEnd> {
  return start.runs === 'outside' ? runOutside(needs, start) : runSandboxed(needs, start);
}

async function runSandboxed({ hookSandbox }: HookProcessNeeds, start: HookStart): Promise<HookEnd> {
  const { hook, root, id, signal, onText } = start;
  const command = commandLine(start);
  const end = await hookSandbox?.run({ id, command, folder: root, reads: foldersOutside(hook, root), signal, onText });
  return end === undefined
    ? { exitCode: null, refused: [], isWithoutSandbox: true }
    : { ...end, isWithoutSandbox: false };
}

function commandLine({ hook, args, input = '', index }: HookStart): string {
  const variables = Object.entries(variablesOf(index)).map(([name, value]) => `${name}=${quoted(value)}`);
  return `printf %s ${quoted(input)} | ${[...variables, quoted(hook.program), ...args.map(quoted)].join(' ')} 2>&1`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const variablesOf = (index: string | undefined): Record<string, string> => ({
  ...(index !== undefined && { GIT_INDEX_FILE: index }),
  GIT_EDITOR: ':',
  GIT_PREFIX: '',
});

/** As in a terminal of the user: also variables that commands of agents do not get. */
async function runOutside({ ambient, environment }: HookProcessNeeds, start: HookStart): Promise<HookEnd> {
  const { hook, root, args, input = '', index, signal, onText } = start;
  const { exitCode, problem } = await runProcess({
    ambient,
    environment,
    extraEnvironment: { ...usersOwn(environment), ...variablesOf(index) },
    // The shell also runs a program without a first line that names one, as git does.
    argv: ['/bin/sh', '-c', '"$0" "$@" 2>&1', hook.program, ...args],
    cwd: root,
    input,
    signal,
    onText,
  });
  if (problem !== undefined) onText(`${problem}\n`);
  return { exitCode, refused: [], isWithoutSandbox: false };
}

/** Without Fucina's own variables, and without relative folders of programs. */
function usersOwn(environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !/^(FUCINA_|GIT_(DIR|WORK_TREE|INDEX_FILE)$)/.test(name));
  const PATH = environment.PATH?.split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...Object.fromEntries(own), ...(PATH !== undefined && { PATH }) };
}
