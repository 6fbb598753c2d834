import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';

export interface FailingGit extends TempDir {
  gitPath: string;
  /** The n-th writing command fails: before or after its work; `meanwhile`, if given, runs first. */
  failAt(n: number, when: 'before' | 'after', meanwhile?: string): Promise<void>;
  /** Whether that command was reached. */
  hasFailed(): Promise<boolean>;
}

/** The real git behind a wrapper that counts its writing commands and fails at one of them. */
export async function failingGit(): Promise<FailingGit> {
  const dir = await tempDir();
  const real = process.env.PATH ?? '';
  const lines = [
    '#!/bin/sh',
    `PATH='${real}'`,
    `cd_state='${dir.path}'`,
    'case " add commit reset stash restore update-index update-ref apply switch branch rm merge rebase " in',
    '*" $3 "*)',
    // Shell built-ins, which start no process.
    '  read -r n <"$cd_state/count"; n=$((n + 1))',
    '  echo $n >"$cd_state/count"',
    '  read -r at <"$cd_state/at"',
    '  if [ $n = "$at" ]; then',
    '    [ "$(cat "$cd_state/when")" = after ] && git "$@" >/dev/null 2>&1',
    '    sh -c "$(cat "$cd_state/meanwhile")" >/dev/null 2>&1',
    '    exit 128',
    '  fi',
    'esac',
    'exec git "$@"',
  ];
  const gitPath = join(dir.path, 'git');
  await writeFile(gitPath, `${lines.join('\n')}\n`);
  await chmod(gitPath, 0o755);
  const state: FailingGit = Object.assign(dir, {
    gitPath,
    failAt: (n: number, when: 'before' | 'after', meanwhile = ':') =>
      dir.write({
        count: '0\n',
        at: `${n}\n`,
        when,
        meanwhile: `unset $(env | grep -o '^GIT_[A-Z_0-9]*'); ${meanwhile}`,
      }),
    async hasFailed() {
      const [count, at] = await Promise.all(
        ['count', 'at'].map(async (name) => Number(await readFile(join(dir.path, name), 'utf8'))),
      );
      return (count ?? 0) >= (at ?? 0);
    },
  });
  await state.failAt(0, 'before');
  return state;
}
