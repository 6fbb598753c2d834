import { join } from 'node:path';
import { type Environment, entryAt } from '@fucina/shared';
import type { Repository } from '../repository/repository.ts';

/** About 10,000 files: with fewer, large pages cost as much as they save. */
const LARGE_INDEX_BYTES = 1024 * 1024;
const READERS: ReadonlySet<string | undefined> = new Set(['add', 'diff', 'ls-files', 'status']);
const LARGE_PAGES = 'glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216';

/**
 * git keeps an entry of every file of the repository in memory to look at one. With a large index, its memory comes from
 * Linux in pages of 2 MiB instead of 4 KiB. Another C library ignores the variable.
 */
export function indexMemory({ gitDir }: Repository, command: string | undefined): Environment {
  if (process.platform !== 'linux' || !READERS.has(command)) return {};
  const { size = 0 } = entryAt(join(gitDir, 'index')) ?? {};
  return size < LARGE_INDEX_BYTES ? {} : { GLIBC_TUNABLES: LARGE_PAGES };
}
