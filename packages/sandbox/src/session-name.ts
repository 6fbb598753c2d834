import { createHash } from 'node:crypto';

/** The name of a session's files and folders: its id, hashed if that is not a plain name. */
export function safeName(id: string): string {
  return /^[\w-]{1,128}$/.test(id) ? id : `sha256.${createHash('sha256').update(id).digest('hex')}`;
}
