import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { contentPath } from './content-path.ts';
import { type DiskFacts, FACTS, type KeepAnswer, type KeepRequest } from './disk-messages.ts';

// Without @fucina/shared: the thread loads nothing but this.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Stores the content of each file that is still as it was seen. Null in any doubt (changed, behind a link):
 * `inspectFile` then says what it is. Only for Linux; throws when the store cannot be written.
 */
export function keepNow({ root, files, store, now }: KeepRequest): KeepAnswer {
  return files.map(({ path, stamp }) => {
    const bytes = bytesAsSeen(root, path, stamp);
    if (!bytes) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = contentPath(store, sha256);
    if (!isStored(file, bytes.length, now / 1000)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes, { mode: 0o600 });
    }
    return sha256;
  });
}

/** Undefined unless it is a regular file at this very place, and did not change. */
function bytesAsSeen(root: string, path: string, stamp: DiskFacts): Buffer | undefined {
  const asked = join(root, path);
  if (!asked.startsWith(`${root}/`)) return undefined;
  let file: number | undefined;
  try {
    file = openSync(asked, READ);
    // Linux names the current path of an open file.
    if (readlinkSync(`/proc/self/fd/${file}`) !== asked || !isAsSeen(file, stamp)) return undefined;
    const bytes = Buffer.allocUnsafe(stamp.size);
    return readSync(file, bytes, 0, stamp.size, 0) === stamp.size && isAsSeen(file, stamp) ? bytes : undefined;
  } catch {
    // Missing or unreadable by now.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isAsSeen(file: number, stamp: DiskFacts): boolean {
  const { mode, ...now } = fstatSync(file);
  const isRegular = (mode & constants.S_IFMT) === constants.S_IFREG;
  return (
    isRegular && (mode & 0o777) === stamp.mode && FACTS.every((name) => name === 'mode' || now[name] === stamp[name])
  );
}

/** Whether this content is stored; its age is then updated. */
function isStored(file: string, sizeBytes: number, atSeconds: number): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.size !== sizeBytes) return false;
  try {
    utimesSync(file, atSeconds, atSeconds);
  } catch {
    // Only its age: it stays as it was.
  }
  return true;
}
