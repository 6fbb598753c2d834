import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, homeOf, statsAt, writeFileAtomically } from '@fucina/shared';
import type { Mount } from './mounts.ts';

/** Settings of tools in the home that commands may see, without their secrets. */
const SETTINGS: Readonly<Record<string, (text: string) => string>> = {
  '.gitconfig': harmlessGitConfig,
  '.config/git/config': harmlessGitConfig,
  '.config/git/ignore': withoutSecretLines,
  '.npmrc': withoutSecretLines,
  '.yarnrc': withoutSecretLines,
  '.yarnrc.yml': withoutSecretLines,
  '.bunfig.toml': withoutSecretLines,
  '.pip/pip.conf': withoutSecretLines,
  '.config/pip/pip.conf': withoutSecretLines,
  '.cargo/config.toml': withoutSecretLines,
  '.condarc': withoutSecretLines,
  '.gemrc': withoutSecretLines,
};

const MAX_BYTES = 256 * 1024;

export interface HomeSettings {
  mounts(): Promise<Mount[]>;
}

/** Copies in `root` (in the data folder), updated when the user's file changes. */
export function createHomeSettings(environment: Environment, root: string): HomeSettings {
  const home = homeOf(environment);
  const copies = new Map<string, { stamp: string; copy: string }>();
  return {
    async mounts() {
      const mounts = Object.entries(SETTINGS).map(async ([name, reduce]): Promise<Mount[]> => {
        const target = join(home, name);
        const found = statsAt(target);
        if (!found?.isFile() || found.size > MAX_BYTES) return [];
        const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`;
        const known = copies.get(name);
        if (known?.stamp === stamp) return [{ kind: 'read-only', source: known.copy, target }];
        const text = reduce(await readFile(target, 'utf8'));
        const copy = join(root, createHash('sha256').update(`${name}\0${text}`).digest('hex').slice(0, 32));
        await mkdir(root, { recursive: true, mode: 0o700 });
        await writeFileAtomically(copy, text, { mode: 0o600 });
        copies.set(name, { stamp, copy });
        return [{ kind: 'read-only', source: copy, target }];
      });
      return (await Promise.all(mounts)).flat();
    },
  };
}

const SECRET =
  /token|passw|secret|_auth|authtoken|authident|credential|api.?key|private.?key|cookie|header|:\/\/[^/\s"']*@|^\s*\/\//i;

/** Line by line; continuation lines of a removed line are removed, too. */
export function withoutSecretLines(text: string): string {
  let isLeftOut = false;
  const kept = text.split('\n').filter((line) => {
    const isNew = /^(\[|[#;]|[\w."'@/:-]+\s*[=:])/.test(line);
    isLeftOut = SECRET.test(line) || (isLeftOut && !isNew && line.trim() !== '');
    return !isLeftOut;
  });
  return kept.join('\n');
}

/** Sections of git's settings that neither contain a secret nor start a program; of some, only these keys. */
const GIT_SECTIONS: Readonly<Record<string, RegExp>> = {
  user: /^(name|email)$/,
  core: /^(autocrlf|eol|safecrlf|ignorecase|quotepath|precomposeunicode|filemode|symlinks|whitespace|abbrev)$/,
  init: /^defaultbranch$/,
  pull: /^(rebase|ff)$/,
  push: /^(default|autosetupremote|followtags)$/,
  merge: /^(conflictstyle|ff)$/,
  rebase: /^(autostash|autosquash|updaterefs)$/,
  fetch: /^(prune|prunetags)$/,
  diff: /^(algorithm|colormoved|renames|mnemonicprefix)$/,
  branch: /^(sort|autosetupmerge|autosetuprebase)$/,
  color: /./,
  column: /./,
  advice: /./,
  rerere: /./,
  status: /./,
  log: /^(date|decorate|abbrevcommit)$/,
  tag: /^sort$/,
};

/** Only sections without a subsection name (`[user]`), only listed keys. */
export function harmlessGitConfig(text: string): string {
  let section = '';
  let isKept = false;
  const kept = text.split('\n').filter((line) => {
    const heading = /^\s*\[\s*([\w.-]+)\s*\]\s*(?:[#;].*)?$/.exec(line)?.[1];
    if (heading !== undefined || /^\s*\[/.test(line)) {
      section = heading?.toLowerCase() ?? '';
      isKept = false;
      return section in GIT_SECTIONS;
    }
    const key = /^\s*([a-z][a-z0-9-]*)\s*(?:=|$)/i.exec(line)?.[1]?.toLowerCase();
    isKept = key !== undefined && (GIT_SECTIONS[section]?.test(key) ?? false) && !line.trimEnd().endsWith('\\');
    return isKept;
  });
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}
