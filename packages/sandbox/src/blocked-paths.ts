import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Ambient, type Environment, homeOf, isWithin, textEnd } from '@fucina/shared';
import { isControlFile } from './control-files/control-files.ts';
import { readSandboxRule } from './rules/sandbox-rule.ts';
import { privatePlaces } from './view/private-places.ts';

/** A file that the sandbox blocked, and the rule that would allow it. */
export interface BlockedPath {
  kind: 'read' | 'write';
  /** Absolute, or for control files relative to the folder. */
  path: string;
  rule: string;
  /** For a read: the path that the rule allows, absolute and real. */
  opens?: string;
  sessionId: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Wall time. */
  at: number;
  /** English, for the model. */
  sentence: string;
}

export interface FailedCommand {
  sessionId: string;
  folder: string;
  /** Its output, both streams. */
  output: string;
}

export interface BlockedPaths {
  /** The files that the sandbox blocked for a failed command, as far as its messages name them; recorded. */
  find(command: FailedCommand): Promise<readonly BlockedPath[]>;
  /** The newest first. */
  recent(): readonly BlockedPath[];
  forget(sessionId: string): void;
}

const MAX_RECORDED = 100;
const MAX_NAMED = 2;
const MAX_CANDIDATES = 20;
const READ_BACK = 20_000;
const MISSING = /no such file or directory|ENOENT|cannot find|does not exist/i;
const READ_ONLY = /read-only file system|EROFS|device or resource busy/i;

export function createBlockedPaths(needs: {
  ambient: Ambient;
  environment: Environment;
  dataDir: string;
}): BlockedPaths {
  const { ambient } = needs;
  let recorded: BlockedPath[] = [];
  return {
    async find({ sessionId, folder, output }) {
      const lines = textEnd(output, READ_BACK).split('\n');
      const found = [...(await hiddenFiles(lines, folder, needs)), ...protectedFiles(lines, folder)].slice(
        0,
        MAX_NAMED,
      );
      const blocked = found.map((one) => ({ ...one, sessionId, folder, at: ambient.now(), sentence: sentenceOf(one) }));
      const isNew = (before: BlockedPath): boolean =>
        !blocked.some(({ path }) => path === before.path && before.sessionId === sessionId);
      recorded = [...blocked, ...recorded.filter(isNew)].slice(0, MAX_RECORDED);
      return blocked;
    },
    recent: () => recorded,
    forget(sessionId) {
      recorded = recorded.filter((one) => one.sessionId !== sessionId);
    },
  };
}

type Found = Pick<BlockedPath, 'kind' | 'path' | 'rule' | 'opens'>;

function sentenceOf({ kind, path, rule }: Found): string {
  return kind === 'read'
    ? `Fucina hides ${path} from commands. The user can allow it with the rule ${rule}.`
    : `Fucina keeps ${path} read-only for commands. The user can allow it with the rule ${rule}.`;
}

/** Paths outside the folder that exist but were reported as missing. Keys and tokens are not mentioned. */
async function hiddenFiles(
  lines: readonly string[],
  folder: string,
  { environment, dataDir }: { environment: Environment; dataDir: string },
): Promise<Found[]> {
  const home = homeOf(environment);
  const named = namesIn(lines.filter((line) => MISSING.test(line)))
    .map((name) => (name.startsWith('~/') ? join(home, name.slice(2)) : name))
    .filter((name) => isAbsolute(name) && !isWithin(folder, name));
  if (named.length === 0) return [];
  const secrets = privatePlaces(environment, dataDir);
  const found = await Promise.all(
    named.map(async (path): Promise<Found[]> => {
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || secrets.some((place) => isWithin(place, real))) return [];
      const isFolder = (await stat(real).catch(() => undefined))?.isDirectory() ?? false;
      for (const place of isFolder ? [real] : [dirname(real), real]) {
        const rule = await readSandboxRule(`Read(${place})`, { environment, dataDir });
        if ('text' in rule && rule.kind === 'read') return [{ kind: 'read', path, rule: rule.text, opens: rule.path }];
      }
      return [];
    }),
  );
  return found.flat();
}

function protectedFiles(lines: readonly string[], folder: string): Found[] {
  const named = namesIn(lines.filter((line) => READ_ONLY.test(line)));
  const inside = named.map((name) => relative(folder, resolve(folder, name)).split(sep).join('/'));
  return (
    [...new Set(inside)]
      .filter((path) => path !== '' && !path.startsWith('..') && isControlFile(path) && !/[*?{}[\]\\()]/.test(path))
      // Files that git and Fucina run by themselves are not offered: the write tool asks for them.
      .filter((path) => !/(^|\/)\.(git|svc)(\/|$)/i.test(path))
      .map((path) => ({ kind: 'write', path, rule: `Write(${path})` }))
  );
}

/** Words of error messages that could be paths: quoted, or with a slash or a leading dot. */
function namesIn(lines: readonly string[]): string[] {
  const names = lines.flatMap((line) => [
    ...[...line.matchAll(/['"‘`]([^'"’`]+)['"’`]/g)].map((match) => match[1] ?? ''),
    ...line.split(/\s+/).map((word) => word.replace(/^['"‘`(]+|['"’`):,;.]+$/g, '')),
  ]);
  return [...new Set(names)].filter((name) => name.includes('/') || /^\.\w/.test(name)).slice(0, MAX_CANDIDATES);
}
