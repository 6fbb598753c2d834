import { basename, dirname, join, relative, sep } from 'node:path';
import type { Git } from '@fucina/git';
import type { SessionRow, Sessions } from '@fucina/sessions';
import type { Ambient, Tool, ToolContext } from '@fucina/shared';

/**
 * Tells agents which other running sessions have changed the same file of a repository, also in other worktrees. It
 * knows the edits that tools reported in this process; what commands changed is not known.
 */
export interface SharedEdits {
  /** The same tools; the result of an edit names those sessions, each once per file. */
  telling(tools: readonly Tool[]): readonly Tool[];
  forget(sessionId: string): void;
}

interface SharedEditsNeeds {
  ambient: Ambient;
  git(): Pick<Git, 'workTreeOf'>;
  sessions(): Pick<Sessions, 'list'>;
}

/** A file, the same in all work trees of its repository. */
interface SharedFile {
  /** Relative to the work tree. */
  path: string;
  key: string;
  root: string;
}

interface Edit {
  sessionId: string;
  root: string;
}

interface OtherSession extends Edit {
  row: SessionRow;
}

const MAX_FILES = 5;
const MAX_SESSIONS = 3;
const MAX_NAME = 60;

export function createSharedEdits(needs: SharedEditsNeeds): SharedEdits {
  /** By file: the last edit of each session. */
  const edits = new Map<string, Map<string, Edit>>();
  /** By session: what was reported to it, as `<other session> <file>`. */
  const reported = new Map<string, Set<string>>();

  const note = (sessionId: string, { key, root }: SharedFile): Edit[] => {
    const ofFile = edits.get(key) ?? new Map<string, Edit>();
    edits.set(key, ofFile.set(sessionId, { sessionId, root }));
    const known = reported.get(sessionId) ?? new Set();
    reported.set(sessionId, known);
    return [...ofFile.values()].filter(
      (edit) => edit.sessionId !== sessionId && !known.has(`${edit.sessionId} ${key}`),
    );
  };

  const noticeOf = async (
    changed: readonly { path: string }[],
    { sessionId, folder }: ToolContext,
  ): Promise<string> => {
    const files = await Promise.all(changed.map(({ path }) => sharedFile(needs.git(), join(folder, path))));
    const shared = files.flatMap((file) => (file ? [{ file, others: note(sessionId, file) }] : []));
    if (shared.every(({ others }) => others.length === 0)) return '';
    const rows = new Map((await needs.sessions().list()).map((row) => [row.header.sessionId, row]));
    const lines: string[] = [];
    for (const { file, others } of shared) {
      const running = others.flatMap((edit) => {
        const row = rows.get(edit.sessionId);
        return row && isRunning(row) && !isSameWork(rows, [row.header.sessionId, sessionId]) ? [{ ...edit, row }] : [];
      });
      for (const { sessionId: other } of running) reported.get(sessionId)?.add(`${other} ${file.key}`);
      if (running.length > 0) lines.push(lineOf(file, running));
    }
    return bounded(lines);
  };

  return {
    telling: (tools) =>
      tools.map((tool) => {
        if (tool.effect !== 'write') return tool;
        return {
          ...tool,
          async run(input, context) {
            const result = await tool.run(input, context);
            const { changes = [] } = result;
            if (result.isError || changes.length === 0) return result;
            try {
              const notice = await noticeOf(changes, context);
              return notice === '' ? result : { ...result, content: `${result.content}\n\n${notice}` };
            } catch (error) {
              // The edit itself has succeeded.
              needs.ambient.log.error('shared-edits.not-read', { sessionId: context.sessionId, error });
              return result;
            }
          },
        };
      }),
    forget(sessionId) {
      reported.delete(sessionId);
      for (const [key, ofFile] of edits) {
        ofFile.delete(sessionId);
        if (ofFile.size === 0) edits.delete(key);
      }
    },
  };
}

async function sharedFile(git: Pick<Git, 'workTreeOf'>, file: string): Promise<SharedFile | undefined> {
  const tree = await git.workTreeOf(dirname(file));
  if (!tree) return undefined;
  const path = relative(tree.root, file).split(sep).join('/');
  return { path, root: tree.root, key: `${tree.repository}\0${path}` };
}

const isRunning = ({ isConcluded, isInterrupted }: SessionRow): boolean => !isConcluded && !isInterrupted;

/** Whether one is a sub-agent of the other, or both are of the same session: they know of each other. */
function isSameWork(rows: ReadonlyMap<string, SessionRow>, ids: readonly [string, string]): boolean {
  const rootOf = (id: string): string => {
    const parent = rows.get(id)?.header.parentId ?? null;
    return parent === null ? id : rootOf(parent);
  };
  return rootOf(ids[0]) === rootOf(ids[1]);
}

function lineOf({ path, root }: SharedFile, others: readonly OtherSession[]): string {
  const named = others.slice(0, MAX_SESSIONS).map(({ row, root: otherRoot }) => {
    const place = otherRoot === root ? 'in this work tree' : `in the work tree ${basename(otherRoot)}`;
    return `${nameOf(row)} (${place})`;
  });
  const more = others.length - named.length;
  return `- ${path}: ${named.join('; ')}${more > 0 ? `; ${more} more` : ''}`;
}

function nameOf({ name, header }: SessionRow): string {
  const text = (name ?? header.assignment).replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(text);
  return JSON.stringify(characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME).join('')}…` : text);
}

function bounded(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length - MAX_FILES;
  return [
    'Other running sessions have changed the same files of this repository:',
    ...lines.slice(0, MAX_FILES),
    ...(more > 0 ? [`- and ${more} more files`] : []),
  ].join('\n');
}
