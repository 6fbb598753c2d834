/** The part of a text that can be completed at the cursor. */
export type Trigger =
  | { kind: 'command'; from: number; to: number; query: string }
  | { kind: 'argument'; from: number; to: number; query: string; command: string }
  | { kind: 'file'; from: number; to: number; query: string };

const COMMAND = /^\/(\S*)$/;
const ARGUMENT = /^\/(\S+) +(.*)$/;
/** Quotes delimit a path with spaces. */
const FILE = /(?:^|[\s([{])(@(?:"([^"\n]*)|([^\s"]*)))$/;

const LONGEST_PATH = 1_000;

export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const before = text.slice(0, cursor);
  const rest = /^\S*/.exec(text.slice(cursor))?.[0].length ?? 0;
  const command = COMMAND.exec(before);
  if (command) return { kind: 'command', from: 0, to: cursor + rest, query: command[1] ?? '' };
  const file = FILE.exec(before.slice(-LONGEST_PATH));
  if (file) {
    const [, whole = '', quoted, bare = ''] = file;
    const to = quoted === undefined ? cursor + rest : cursor;
    return { kind: 'file', from: cursor - whole.length, to, query: quoted ?? bare };
  }
  const argument = ARGUMENT.exec(before);
  if (!argument || text.slice(cursor).trim() !== '') return undefined;
  const [, name = '', query = ''] = argument;
  return { kind: 'argument', from: cursor - query.length, to: text.length, query, command: name };
}
