import {
  type KeyedQueue,
  PathError,
  parseRelativePath,
  readFileInside,
  type ToolResult,
  textStart,
} from '@fucina/shared';
import type { ReadyServer } from '../server/running-server.ts';
import type { Servers } from '../servers.ts';
import { MAX_FILE_BYTES, textOf } from '../text-of.ts';
import { findSymbol, type Position } from './position.ts';
import type { TellRecentFiles } from './recent-files.ts';

/** A file that the model asks about, open in its server. */
export interface AskedFile {
  server: ReadyServer;
  path: string;
  text: string;
  uri: string;
  languageId: string;
}

/** What the tools of the agent need. */
export interface CodeToolNeeds {
  servers: Pick<Servers, 'of'>;
  inOrder: KeyedQueue;
  tellRecentFiles: TellRecentFiles;
}

export const failure = (content: string): ToolResult => ({ content, isError: true });

/** Opens the file in its server, or says for the model why that is impossible. */
export async function openFile(
  servers: Pick<Servers, 'of'>,
  folder: string,
  given: string,
): Promise<AskedFile | ToolResult> {
  try {
    const path = parseRelativePath(given);
    const file = await servers.of(folder, path);
    const server = await file?.server.ready();
    if (!file || !server) return failure(`No language server answers for ${path}. Search instead.`);
    const { bytes } = await readFileInside(folder, path, MAX_FILE_BYTES);
    const text = bytes.toString('utf8');
    await server.documents.refresh((one) => textOf(folder, one));
    await server.documents.open({ path, languageId: file.languageId, text });
    return { server, path, text, uri: server.documents.uriOf(path), languageId: file.languageId };
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return failure(
      `${JSON.stringify(textStart(given, 300))} cannot be used: give the path of a file in the session folder.`,
    );
  }
}

/** Where the symbol is, or why it was not found. */
export function placeOf({ path, text }: AskedFile, symbol: string, line: number | undefined): Position | ToolResult {
  const found = findSymbol(text, symbol, line);
  if (found) return found;
  const where = line === undefined ? path : `line ${line} of ${path}`;
  return failure(`${JSON.stringify(textStart(symbol, 100))} does not occur in ${where}.`);
}
