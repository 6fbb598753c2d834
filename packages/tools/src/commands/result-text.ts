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
  '[Commands can write only the session folder, /tmp and build caches. Control files (git hooks and settings, editor tasks, CI) are read-only for them: use scrivi, which asks the user.]';
/** Files that git locks in the folder that all worktrees share: to delete or pack branches, and for gc. */
const SHARED_LOCK = /(?:packed-refs|gc\.pid)\.lock'?: Read-only file system/;
const SHARED_NOTE =
  '[In a linked worktree, commands cannot delete or pack branches, and cannot run git gc: that changes files which all worktrees of the repository share. Leave the branch and tell the user, who can delete it in the Git view or in a terminal.]';

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
    const flusso = err.isCut && !out.isCut ? ', "flusso": "stderr"' : '';
    parts.push(
      `[Cut. To read or search (testo) the whole output: processi {"azione": "leggi", "id": "${id}"${flusso}}]`,
    );
  }
  const end = textEnd(stdout, LOOKED_AT) + textEnd(stderr, LOOKED_AT);
  if (isContained && isFailed && READ_ONLY.test(end)) parts.push(SHARED_LOCK.test(end) ? SHARED_NOTE : READ_ONLY_NOTE);
  const notes = [...unreportedNotices(notices, stdout + stderr), ...blocked.map((one) => `[${one}]`)];
  return [heading, ...parts, ...notes].join('\n');
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
