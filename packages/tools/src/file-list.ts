import type { ToolsNeeds } from './needs.ts';
import { runRipgrep } from './ripgrep.ts';

export interface FileList {
  /** Relative to the folder, `/`-separated, in order. */
  paths: string[];
  /** There are more than `limit`, or the listing was stopped. */
  isCut: boolean;
}

const LIST_MS = 20_000;

/** The files of a folder for the agent's tools: ignore files applied, without `.git` and links. */
export async function listFiles(
  needs: ToolsNeeds,
  { folder, limit, signal }: { folder: string; limit: number; signal: AbortSignal },
): Promise<FileList> {
  const paths: string[] = [];
  const { isStopped, ending } = await runRipgrep(needs, {
    root: folder,
    path: '',
    args: ['--files', '--sort=path'],
    signal,
    timeoutMs: LIST_MS,
    separator: '\0',
    onRecord(record) {
      paths.push(record.startsWith('./') ? record.slice(2) : record);
      return paths.length <= limit;
    },
  });
  return { paths: paths.slice(0, limit), isCut: isStopped || ending !== 'exit' };
}
