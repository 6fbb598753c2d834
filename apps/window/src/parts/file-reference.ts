interface Spot {
  path: string;
  line: number | undefined;
}

const SPOT =
  /^(?!\w+:\/\/)(?:\.\/)?([\w@()[\]. -]*[\w@()[\].-](?:\/[\w@()[\]. -]*[\w@()[\].-])*)(?:(?::|#L)(\d{1,7})(?:[:-]L?\d+)*)?$/;

/** A path inside the folder in a common notation, with or without a line; undefined if it cannot be one. */
export function parseFileReference(text: string): Spot | undefined {
  const [, path, line] = SPOT.exec(text.trim()) ?? [];
  if (!path || path.split('/').includes('..')) return undefined;
  return { path, line: line === undefined ? undefined : Number(line) };
}

/** The session's page for a file of its folder. */
export const filePage = (sessionId: string, { path, line }: Spot): string =>
  `/sessions/${sessionId}/files?${new URLSearchParams({ file: path, ...(line === undefined ? {} : { line: `${line}` }) })}`;

/** A file by its extension, in a folder or with a line: much inline code only looks like a path. */
export const isFile = (text: string): boolean =>
  /^\S+\.[A-Za-z]\w{0,9}(?:(?::|#L)\d+\S*)?$/.test(text) && /\/|[:#]L?\d/.test(text);
