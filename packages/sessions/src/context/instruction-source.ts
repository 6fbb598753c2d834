import { openFileInside, PathError } from '@fucina/shared';
import type { Place } from '../front-matter.ts';

/** A file with instructions for agents, and what of it is in the prompt. */
export interface InstructionSource {
  /** Relative to the folder. */
  path: string;
  sizeBytes: number;
  /**
   * `listed`: only its name, its files and its description; the model reads it when needed. `offered`: a kind of
   * sub-agent, whose name and description the model gets.
   */
  state: 'sent' | 'truncated' | 'listed' | 'offered' | 'left-out';
  /** Why it is left out; null otherwise. */
  reason: LeftOutReason | null;
  /** Where in the file that is; absent where it is not one place. */
  place?: Place | undefined;
  /** Of a kind of sub-agent: tools that are not known here. */
  ignored: readonly string[];
}

export type LeftOutReason =
  /** AGENTS.md of the same folder is used instead. */
  | 'replaced'
  /** Another file says the same. */
  | 'same-text'
  /** The files before it fill the limit. */
  | 'limit'
  | 'empty'
  | 'not-text'
  /** A link out of the folder. */
  | 'outside'
  | 'not-readable'
  | 'too-long'
  /** A kind of sub-agent: of one name the first is used; its name is no name; nothing says what it is for. */
  | 'same-name'
  | 'invalid-name'
  | 'no-description'
  /** Its front matter has no second line of `---`. */
  | 'no-end'
  /** A rule without files and description: only named by the user. */
  | 'on-request'
  /** More rules, or kinds of sub-agents, than are read. */
  | 'too-many';

export interface OpenedSource {
  /** At most `maxBytes` of it. */
  bytes: Buffer;
  sizeBytes: number;
}

const ABSENT: ReadonlySet<PathError['problem']> = new Set(['missing', 'not-a-file', 'invalid']);

/** The beginning of a file, or why it is not read; undefined when there is none. Links out of the root are not followed. */
export async function readBeginning(
  root: string,
  path: string,
  maxBytes: number,
): Promise<OpenedSource | { reason: LeftOutReason } | undefined> {
  try {
    const { handle, stats } = await openFileInside(root, path);
    try {
      const buffer = Buffer.alloc(Math.min(maxBytes, stats.size));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      const bytes = buffer.subarray(0, bytesRead);
      return bytes.includes(0) ? { reason: 'not-text' } : { bytes, sizeBytes: stats.size };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    if (ABSENT.has(error.problem)) return undefined;
    return { reason: error.problem === 'outside' ? 'outside' : 'not-readable' };
  }
}

/** UTF-8 without a character that was cut at the end. */
export function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\uFFFD$/, '');
}
