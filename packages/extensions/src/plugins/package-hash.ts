import { createHash } from 'node:crypto';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from '../trust/fingerprint.ts';

const MAX_FILES = 2_000;
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * SHA-256 (hex) of everything in a plugin's folder: names, links and their targets, execute permissions, bytes.
 * Undefined above 2,000 entries or 50 MiB: what cannot be hashed whole cannot be trusted.
 */
export async function packageHash(folder: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  let count = 0;
  let bytes = 0;
  const open = [''];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const names = (await readdir(join(folder, below))).sort();
    for (const name of names) {
      count += 1;
      if (count > MAX_FILES) return undefined;
      const path = below === '' ? name : `${below}/${name}`;
      const facts = await lstat(join(folder, path));
      if (facts.isDirectory()) {
        open.push(path);
        hash.update(`${JSON.stringify([path, 'folder'])}\n`);
      } else if (facts.isSymbolicLink()) {
        hash.update(`${JSON.stringify([path, 'link', await readlink(join(folder, path))])}\n`);
      } else if (facts.isFile()) {
        bytes += facts.size;
        if (bytes > MAX_BYTES) return undefined;
        const about = [path, 'file', (facts.mode & 0o111) !== 0, await hashOf(join(folder, path))];
        hash.update(`${JSON.stringify(about)}\n`);
      } else return undefined;
    }
  }
  return hash.digest('hex');
}
