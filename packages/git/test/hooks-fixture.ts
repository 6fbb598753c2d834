import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, systemAmbient } from '@fucina/shared';
import type { TempRepo } from '@fucina/testkit';
import { createGit, type Git } from '../src/git.ts';
import type { HookChoice } from '../src/hooks/hooks.ts';
import type { ProgramTrust, RepositoryProgram } from '../src/programs/program-trust.ts';

export function memoryTrust(): ProgramTrust {
  const stored = new Map<string, string>();
  const key = ({ id, folder }: RepositoryProgram): string => `${folder} ${id}`;
  return {
    isTrusted: async (program) => stored.get(key(program)) === program.sha256,
    trust: async (program) => void stored.set(key(program), program.sha256),
  };
}

export const system = systemAmbient('silent');
export const gitWith = (ambient: Ambient = system): Git =>
  createGit({ ambient, environment: process.env, programTrust: memoryTrust() });

/** A program of the shell, in the folder of hooks or another one. */
export async function hook(
  repo: TempRepo,
  name: string,
  ...[body, folder = '.git/hooks']: [body: string, folder?: string]
): Promise<void> {
  await repo.write({ [`${folder}/${name}`]: `#!/bin/sh\n${body}\n` });
  await chmod(join(repo.path, folder, name), 0o755);
}

/** In the work tree of a folder: trust is given to each by itself. */
export async function choose(
  git: Git,
  { path }: Pick<TempRepo, 'path'>,
  ...[name, more = {}]: [name: string, more?: Partial<HookChoice>]
): Promise<void> {
  const { hooks } = await git.programs.read(path);
  const { fingerprint = '' } = hooks.find((one) => one.name === name) ?? {};
  await git.programs.chooseHook(path, { name, fingerprint, runs: 'outside', ...more });
}

export const head = (repo: TempRepo): Promise<string> => repo.git('rev-parse', 'HEAD');
export const status = (repo: TempRepo): Promise<string> => repo.git('status', '--porcelain');
export const staged = async (git: Git, repo: TempRepo, message = 'm') => {
  const { fingerprint } = await git.reading.state(repo.path);
  return git.commits.staged(repo.path, message, fingerprint);
};
