import { capturedText, type ProcessOutcome, textEnd } from '@fucina/shared';
import { plainOutput } from '../terminal-text.ts';
import { outputExcerpt } from './output-excerpt.ts';

/** Output of a command, as a terminal would show it. */
export interface Printed {
  stdout: string;
  stderr: string;
}

export function printed({ stdout, stderr }: Pick<ProcessOutcome, 'stdout' | 'stderr'>): Printed {
  return { stdout: plainOutput(capturedText(stdout)), stderr: plainOutput(capturedText(stderr)) };
}

const MAX_NOTICES = 2;
/** Reserved for the heading and the notes. */
const ROOM_AROUND = 600;
const READ_ONLY = /Read-only file system|EROFS|Operation not permitted|Device or resource busy/;

export interface ResultFacts {
  heading: string;
  /** Maximum characters. */
  room: number;
  /** Where the whole output can be read when it is truncated. */
  id: string;
  /** Writing was restricted. */
  isContained: boolean;
  isFailed: boolean;
  /** What the sandbox did, as sentences. */
  notices: readonly string[];
  /** Blocked files, as sentences. */
  blocked: readonly string[];
}

const LOOKED_AT = 20_000;
const READ_ONLY_NOTE =
  '[Commands can write only the session folder, /tmp and build caches. Control files (git hooks and settings, editor tasks, CI) are read-only for them: write such a file with the tool for files, which asks the user.]';
/**
 * What git says when a linked worktree may not write something of its repository, and what the model is told. The first
 * that fits counts.
 */
const WORKTREE_NOTES: readonly (readonly [RegExp, string])[] = [
  [
    /(?:packed-refs|gc\.pid)\.lock'?: Read-only file system/,
    '[In a linked worktree, commands cannot delete or pack branches, and cannot run git gc: that changes files which all worktrees of the repository share. Leave the branch and tell the user, who can delete it in the Git view or in a terminal.]',
  ],
  [
    /refs\/(?:heads|notes|remotes|stash|tags)[^\s']*'?: (?:Read-only file system|Device or resource busy)|^Cannot save the current status$/m,
    '[In a linked worktree, commands can commit to its branch and add branches beside it. Tags, stashes, remote-tracking branches and other branches belong to all worktrees of the repository: leave them and tell the user, who can change them in the Git view or in a terminal.]',
  ],
  [
    /unable to create temporary file.*: Read-only file system/,
    '[In a linked worktree, commands can add git objects only while all existing ones are in packs, at most 64, which protects them. Here they are not, so all are read-only. Leave the changes uncommitted and tell the user: "git gc" in the repository, outside, packs them or says what is wrong.]',
  ],
];

/** Both streams within the model's limit; a note tells how to read the rest. */
export function resultText({ stdout, stderr }: Printed, facts: ResultFacts): string {
  const { heading, id, isContained, isFailed, notices, blocked } = facts;
  const room = facts.room - ROOM_AROUND;
  const errorRoom = Math.max(Math.min(stderr.length, Math.floor(room / 3)), room - stdout.length);
  const parts: string[] = [];
  const out = outputExcerpt(stdout.trimEnd(), room - Math.min(stderr.length, errorRoom));
  const err = outputExcerpt(stderr.trimEnd(), errorRoom);
  if (stdout.trim() !== '') parts.push(out.text);
  if (stderr.trim() !== '') parts.push(`stderr:\n${err.text}`);
  if (parts.length === 0) parts.push('(no output)');
  if (out.isCut || err.isCut) {
    const stream = err.isCut && !out.isCut ? ', stderr' : '';
    parts.push(`[Cut. Read or search the whole output with the tool for background commands: id ${id}${stream}]`);
  }
  const end = textEnd(stdout, LOOKED_AT) + textEnd(stderr, LOOKED_AT);
  if (isContained && isFailed) parts.push(...readOnlyNotes(end));
  const notes = [...unreportedNotices(notices, stdout + stderr), ...blocked.map((one) => `[${one}]`)];
  return [heading, ...parts, ...notes].join('\n');
}

function readOnlyNotes(output: string): string[] {
  const ofWorktree = WORKTREE_NOTES.find(([words]) => words.test(output))?.[1];
  if (ofWorktree !== undefined) return [ofWorktree];
  return READ_ONLY.test(output) ? [READ_ONLY_NOTE] : [];
}

/** Those that the command did not print itself. */
export function unreportedNotices(notices: readonly string[], output: string): string[] {
  const left = notices.filter((sentence) => !output.includes(sentence));
  const more = left.length - MAX_NOTICES;
  return [
    ...left.slice(0, MAX_NOTICES),
    ...(more > 0 ? [`${more} more notices of the sandbox are not shown.`] : []),
  ].map((one) => `[${one}]`);
}
