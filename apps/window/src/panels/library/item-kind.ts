import type { LibraryItem } from '../../wire/library.ts';
import { type FileKind, kindOf } from '../files/file-kind.ts';

const BY_TYPE: Readonly<Record<string, FileKind>> = {
  'application/pdf': 'pdf',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/gif': 'image',
  'image/svg+xml': 'vector',
  'text/html': 'page',
  'text/markdown': 'markdown',
  'text/csv': 'table',
  'text/plain': 'text',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'presentation',
};

/** The declared type of an item; undefined: only its bytes can tell. */
export const kindOfItem = ({ mediaType }: Pick<LibraryItem, 'mediaType'>): FileKind | undefined => BY_TYPE[mediaType];

/** The viewer for an item's bytes, whatever its declared type. */
export function shownKind(name: string, bytes: Uint8Array): FileKind {
  const kind = kindOf(name, bytes.subarray(0, 4_096));
  // These are shown directly from the server with their declared type; here they would only be bytes.
  return kind === 'image' || kind === 'pdf' || kind === 'page' ? 'binary' : kind;
}
