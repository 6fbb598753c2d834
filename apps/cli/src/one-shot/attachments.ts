import { readFile, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { fenced } from '../fenced.ts';

/** The files of --add-file: texts as part of the message, images as attachments. */
export interface Attachments {
  texts: string[];
  pictures: { name: string; dataUrl: string }[];
}

/** Maximum size of one attached text. */
export const MAX_TEXT_BYTES = 256 * 1024;
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Why a file cannot be attached. */
export class AttachmentProblem extends Error {
  readonly path: string;
  readonly kind: 'missing' | 'too-large' | 'not-text';

  constructor(path: string, kind: AttachmentProblem['kind']) {
    super(kind);
    this.path = path;
    this.kind = kind;
  }
}

/** By its extension. */
export function isPicture(path: string): boolean {
  return extname(path).toLowerCase() in PICTURES;
}

/** Throws AttachmentProblem at the first invalid one. */
export async function readAttachments(paths: readonly string[], cwd: string): Promise<Attachments> {
  const found: Attachments = { texts: [], pictures: [] };
  for (const path of paths) {
    const mimeType = PICTURES[extname(path).toLowerCase()];
    const bytes = await readWhole({ path, cwd, limit: mimeType ? MAX_PICTURE_BYTES : MAX_TEXT_BYTES });
    if (mimeType) {
      const dataUrl = `data:${mimeType};base64,${bytes.toString('base64')}`;
      found.pictures.push({ name: basename(path), dataUrl });
    } else found.texts.push(quote(path, bytes));
  }
  return found;
}

async function readWhole({ path, cwd, limit }: { path: string; cwd: string; limit: number }): Promise<Buffer> {
  const file = resolve(cwd, path);
  const facts = await stat(file).catch(() => undefined);
  if (!facts?.isFile()) throw new AttachmentProblem(path, 'missing');
  if (facts.size > limit) throw new AttachmentProblem(path, 'too-large');
  return readFile(file);
}

function quote(path: string, bytes: Buffer): string {
  const text = decodeText(bytes);
  if (text === undefined) throw new AttachmentProblem(path, 'not-text');
  return `File ${path}:\n${fenced(text)}`;
}

/** Undefined for a file that is not UTF-8 text. */
export function decodeText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // not UTF-8
  }
}
