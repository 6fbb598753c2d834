interface Spot {
  path: string;
  line: number | undefined;
}

const SPOT =
  /^(?!\w+:\/\/)(?:\.\/)?([\w@()[\]. -]*[\w@()[\].-](?:\/[\w@()[\]. -]*[\w@()[\].-])*)(?:(?::|#L)(\d{1,7})(?:[:-]L?\d+)*)?$/;

/** A path inside the folder as people write it, with a line or without; undefined for what can be none. */
export function parseFileReference(text: string): Spot | undefined {
  const [, path, line] = SPOT.exec(text.trim()) ?? [];
  if (!path || path.split('/').includes('..')) return undefined;
  return { path, line: line === undefined ? undefined : Number(line) };
}

/** The page of the session on which a file of its folder is shown. */
export const filePage = (sessionId: string, { path, line }: Spot): string =>
  `/sessions/${sessionId}/files?${new URLSearchParams({ file: path, ...(line === undefined ? {} : { line: `${line}` }) })}`;

/** A file by its ending, in a folder or at a line: much that is written as code only looks like one. */
export const isFile = (text: string): boolean =>
  /^\S+\.[A-Za-z]\w{0,9}(?:(?::|#L)\d+\S*)?$/.test(text) && /\/|[:#]L?\d/.test(text);
