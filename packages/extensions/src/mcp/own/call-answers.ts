import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createKeyedQueue,
  MCP_CALL_ANSWERS,
  type McpCallAnswer,
  systemCode,
  type ToolCallLeave,
  writeFileAtomically,
} from '@fucina/shared';
import * as z from 'zod';
import { extensionsError } from '../../errors.ts';
import { placeName } from '../../own/reference.ts';

const stored = z.object({
  fingerprint: z.string(),
  answer: z.enum(MCP_CALL_ANSWERS),
  allowedTools: z.array(z.string().max(256)).max(1_024),
});

/** What the user answered about the calls of a server. */
export interface CallAnswer {
  answer: McpCallAnswer;
  /** With `by-tool`: those that no longer ask, by the server's own names. */
  allowedTools: readonly string[];
}

/** An answer for the whole server, or one more tool that no longer asks. */
export type CallChoice = { answer: McpCallAnswer } | { allowTool: string };

/** A server as it is now, in the place where it is trusted. */
export interface CallSubject {
  server: { scope: 'everywhere' | 'project' | 'file' | 'editor'; folder: string | null; id: string };
  /** The project; null for a server that is the same in all of them. */
  folder: string | null;
  /** Of everything that the answer covers. */
  fingerprint: string;
}

/** The user's answers, outside of the projects. Each applies to one fingerprint: a changed server asks again. */
export interface CallAnswers {
  of(subject: CallSubject): Promise<CallAnswer | undefined>;
  /** Resolves when it is on disk. */
  save(subject: CallSubject, choice: CallChoice): Promise<void>;
  /** Forgets the answers of a server in every place. */
  forget(server: CallSubject['server']): Promise<void>;
}

export function createCallAnswers(dataDir: string): CallAnswers {
  const inOrder = createKeyedQueue();
  const folderOf = ({ scope, folder, id }: CallSubject['server']): string =>
    join(dataDir, 'mcp', 'calls', `${scope}-${placeName(folder)}`, placeName(id));
  const fileOf = ({ server, folder }: CallSubject): string => join(folderOf(server), `${placeName(folder)}.json`);
  const read = async (subject: CallSubject): Promise<CallAnswer | undefined> => {
    try {
      const { fingerprint, ...answer } = stored.parse(JSON.parse(await readFile(fileOf(subject), 'utf8')));
      return fingerprint === subject.fingerprint ? answer : undefined;
    } catch (error) {
      // A damaged answer is none: the user is asked again.
      if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError)
        return undefined;
      throw error;
    }
  };
  return {
    of: read,
    save: (subject, choice) =>
      inOrder(fileOf(subject), async () => {
        const next = 'allowTool' in choice ? withTool(await read(subject), choice.allowTool) : choice;
        const record = { fingerprint: subject.fingerprint, allowedTools: [], ...next };
        await mkdir(folderOf(subject.server), { recursive: true, mode: 0o700 });
        await writeFileAtomically(fileOf(subject), `${JSON.stringify(record)}\n`);
      }),
    forget: (server) => rm(folderOf(server), { recursive: true, force: true }),
  };
}

/** A tool that is allowed alone makes the others ask, each by itself. */
function withTool(before: CallAnswer | undefined, tool: string): CallAnswer {
  const allowed = before?.answer === 'by-tool' ? before.allowedTools : [];
  return { answer: 'by-tool', allowedTools: [...new Set([...allowed, tool])].sort() };
}

/** The answer about one server, for as long as it stays the same. */
export interface ServerCalls {
  read(): Promise<CallAnswer | undefined>;
  /** MCP_INVALID when it cannot start, or is not trusted as it is now. */
  save(choice: CallChoice): Promise<void>;
}

/** `subjectNow`: undefined while the server may not start. */
export function serverCalls(answers: CallAnswers, subjectNow: () => Promise<CallSubject | undefined>): ServerCalls {
  return {
    async read() {
      const subject = await subjectNow();
      return subject && answers.of(subject);
    },
    async save(choice) {
      const subject = await subjectNow();
      if (!subject) throw extensionsError('MCP_INVALID', { reason: 'changed' });
      await answers.save(subject, choice);
    },
  };
}

/** What the gate does with a call of this tool. */
export async function leaveFor(calls: ServerCalls, tool: string): Promise<ToolCallLeave> {
  const known = await calls.read();
  if (!known) return 'ask-server';
  if (known.answer !== 'by-tool') return known.answer;
  return known.allowedTools.includes(tool) ? 'allow' : 'ask-tool';
}
