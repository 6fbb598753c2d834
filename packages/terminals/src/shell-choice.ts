import { access, constants } from 'node:fs/promises';
import { basename, isAbsolute, win32 } from 'node:path';
import type { Environment } from '@fucina/shared';

export type ShellKind = 'git-bash' | 'cmd-fallback' | 'posix-shell';

export interface ShellChoice {
  kind: ShellKind;
  argv: readonly [string, ...string[]];
}

export interface ShellNeeds {
  platform: NodeJS.Platform;
  environment: Environment;
  isProgram(path: string): Promise<boolean>;
}

/**
 * Shells that support `-l`: a login shell reads the user's profile, which sets what the environment of a child lacks.
 */
const LOGIN_SHELLS = new Set(['bash', 'dash', 'fish', 'ksh', 'sh', 'zsh']);

/** Undefined without any shell. Windows: Git Bash, else the command prompt. Elsewhere: the user's, else bash. */
export async function chooseShell(needs: ShellNeeds): Promise<ShellChoice | undefined> {
  return needs.platform === 'win32' ? windowsShell(needs) : posixShell(needs);
}

async function posixShell({ environment, isProgram }: ShellNeeds): Promise<ShellChoice | undefined> {
  const own = environment.SHELL;
  for (const path of [own, '/bin/bash', '/usr/bin/bash', '/bin/sh']) {
    if (!path || !isAbsolute(path) || !(await isProgram(path))) continue;
    const options = LOGIN_SHELLS.has(basename(path)) ? ['-l'] : [];
    return { kind: 'posix-shell', argv: [path, ...options] };
  }
  return undefined;
}

async function windowsShell({ environment, isProgram }: ShellNeeds): Promise<ShellChoice | undefined> {
  const user = environment.LOCALAPPDATA && win32.join(environment.LOCALAPPDATA, 'Programs');
  for (const root of [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], user]) {
    const path = root && win32.join(root, 'Git', 'bin', 'bash.exe');
    if (path && (await isProgram(path))) return { kind: 'git-bash', argv: [path, '--login', '-i'] };
  }
  const prompt = environment.COMSPEC ?? win32.join(environment.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'cmd.exe');
  return (await isProgram(prompt)) ? { kind: 'cmd-fallback', argv: [prompt] } : undefined;
}

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false; // for whatever reason, it cannot be started
  }
}
