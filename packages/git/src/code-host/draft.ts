import { textStart } from '@fucina/shared';
import { checkName } from '../changing/branches.ts';
import { resolveCommit } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import type { HostedBranch } from './branch.ts';

export interface PullDraft {
  base: string | null;
  /** Branches of the code host as of the last fetch. */
  bases: string[];
  isBaseKnown: boolean;
  commits: number;
  /** There are more than this count. */
  hasMore: boolean;
  title: string;
  text: string;
}

const MAX_COMMITS = 250;
export const MAX_TITLE = 256;
export const MAX_TEXT = 65_536;

/**
 * Against the given base, the one the user set for this branch, or the code host's default. Throws GIT_BRANCH_INVALID.
 */
export async function draftPull(
  place: GitFolder,
  hosted: HostedBranch,
  { chosen, defaultBranch }: { chosen: string | undefined; defaultBranch: string | null },
): Promise<PullDraft> {
  if (chosen !== undefined) await checkName(place, chosen);
  const base = chosen ?? (await configuredBase(place, hosted.branch)) ?? defaultBranch;
  const bases = await remoteBranches(place, hosted.remote);
  const isBaseKnown = base !== null && bases.includes(base);
  const messages = isBaseKnown ? await messagesSince(place, `refs/remotes/${hosted.remote}/${base}`) : [];
  const commits = Math.min(messages.length, MAX_COMMITS);
  return {
    base,
    bases,
    isBaseKnown,
    commits,
    hasMore: messages.length > MAX_COMMITS,
    ...wordsOf(hosted.branch, messages.slice(0, commits)),
  };
}

async function configuredBase({ git }: GitFolder, branch: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.run(['config', '--get', `branch.${branch}.gh-merge-base`]);
  return exitCode === 0 ? stdout.toString('utf8').trim() || undefined : undefined;
}

export async function remoteBranches({ git }: GitFolder, remote: string): Promise<string[]> {
  const prefix = `refs/remotes/${remote}/`;
  const rows = await git.text(['for-each-ref', '--format=%(refname)%00%(symref)', prefix]);
  return rows
    .split('\n')
    .filter((row) => row.startsWith(prefix) && row.endsWith('\0'))
    .map((row) => row.slice(prefix.length, -1));
}

/** Newest first. */
async function messagesSince({ git }: GitFolder, base: string): Promise<string[]> {
  if ((await resolveCommit(git, 'HEAD')) === undefined) return [];
  const count = ['--max-count', String(MAX_COMMITS + 1)];
  const form = ['--no-show-signature', '--encoding=UTF-8', '--no-merges', '-z', '--format=%B'];
  const output = await git.text(['log', ...count, ...form, `${base}..HEAD`, '--']);
  return output
    .split('\0')
    .map((message) => message.trim())
    .filter(Boolean);
}

/** One commit gives title and body; several are listed under a title made from the branch name. */
function wordsOf(branch: string, messages: readonly string[]): { title: string; text: string } {
  const [only = ''] = messages;
  if (messages.length === 1) {
    const [title = '', ...rest] = only.split('\n');
    return { title: textStart(title, MAX_TITLE), text: textStart(rest.join('\n').trim(), MAX_TEXT) };
  }
  const words = branch
    .slice(branch.lastIndexOf('/') + 1)
    .replace(/[-_]+/g, ' ')
    .trim();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const subjects = [...messages].reverse().map((message) => `- ${message.split('\n')[0]}`);
  return { title: textStart(title, MAX_TITLE), text: textStart(subjects.join('\n'), MAX_TEXT) };
}
