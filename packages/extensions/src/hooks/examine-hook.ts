import type { Environment } from '@fucina/shared';
import type { Reference } from '../own/reference.ts';
import { fingerprintOf, namesFileOf } from '../trust/fingerprint.ts';
import type { TrustStore, TrustSubject } from '../trust/trust-store.ts';
import { type DeclaredHook, definitionOf, type HookDefinition } from './hooks-file.ts';
import { type HookProgram, hookArgv, ownHookArgv } from './run-hook.ts';

/** A hook, wherever it is configured. */
export interface KnownHook extends Reference {
  definition: HookDefinition;
  /** What the trust of a file's hook covers, as the file declares it. */
  declared?: DeclaredHook;
}

export interface ExaminedHook {
  argv: readonly [string, ...string[]];
  /** Where it starts. */
  startFolder: string;
  /** What must equal the trusted fingerprint; undefined for a hook that needs no trust. */
  fingerprint: string | undefined;
  isTrusted: boolean;
}

export interface ExamineHookNeeds {
  environment: Environment;
  homeDir: string;
  trust: TrustStore;
}

/**
 * Examines a hook as it is now, in a project (undefined: none). A file's hook, and one of the user that starts in the
 * project, have a fingerprint. One of every project starts in the home folder, and has one only in a project of which it
 * names a file.
 */
export async function examineHook(
  needs: ExamineHookNeeds,
  hook: KnownHook,
  project: string | undefined,
): Promise<ExaminedHook | { problem: string }> {
  const { environment, homeDir, trust } = needs;
  const { scope, definition, declared = definition } = hook;
  const startFolder = scope === 'everywhere' ? homeDir : (hook.folder ?? homeDir);
  const { command } = definition;
  const made: HookProgram =
    scope === 'file' ? await hookArgv(command, environment) : await ownHookArgv(command, { environment, startFolder });
  if ('problem' in made) return made;
  const folder = project ?? hook.folder;
  const contents = { folder: folder ?? homeDir, definition: declared, argv: made.argv, startFolder };
  const needsTrust = folder !== null && (scope !== 'everywhere' || (await namesFileOf(contents)));
  const fingerprint = needsTrust ? await fingerprintOf(contents) : undefined;
  const known = fingerprint === undefined ? undefined : await trust.trustedHash(hookSubject(hook, contents.folder));
  return { argv: made.argv, startFolder, fingerprint, isTrusted: fingerprint === known };
}

/** The trust of a hook in a project, as it is stored. */
export function hookSubject({ scope, id }: Reference, folder: string): TrustSubject {
  return scope === 'file' ? { kind: 'hooks', folder, id } : { kind: 'hooks-own', folder, id: `${scope}.${id}` };
}

export function fileHook(folder: string, declared: DeclaredHook): KnownHook {
  return { scope: 'file', folder, id: declared.id, definition: definitionOf(declared), declared };
}
