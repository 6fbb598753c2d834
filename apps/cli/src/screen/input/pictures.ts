import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Services } from '@fucina/host';
import { AttachmentProblem, isPicture, readAttachments } from '../../one-shot/attachments.ts';

export interface Picture {
  name: string;
  dataUrl: string;
}

/** The path of an image, as terminals paste a dropped file: quoted, escaped, or as a URL. */
export function picturePathIn(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text === '' || text.includes('\n')) return undefined;
  const path = unquoted(text);
  return path !== undefined && isPicture(path) ? path : undefined;
}

/** Undefined when the file is missing or not a supported image. */
export async function readPicture(
  path: string,
  { dir, home }: { dir: string; home: string },
): Promise<Picture | undefined> {
  try {
    const { pictures } = await readAttachments([path.replace(/^~(?=\/)/, home)], dir);
    return pictures[0] && { ...pictures[0], name: basename(path) };
  } catch (error) {
    if (error instanceof AttachmentProblem) return undefined;
    throw error;
  }
}

/** `@path` of an image, anywhere in a message. */
export function picturePathsIn(text: string): string[] {
  const names = [...text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  return [...new Set(names.filter(isPicture))];
}

const MAX_BYTES = 5 * 1024 * 1024;
const PATIENCE_MS = 3_000;
/** Clipboard commands of the desktops. */
const CLIPBOARDS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
];
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** The image on the clipboard; undefined without one, or without such a command. */
export async function clipboardPicture(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Picture | undefined> {
  for (const [program, ...args] of CLIPBOARDS) {
    const options = { env: { ...env }, encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: PATIENCE_MS } as const;
    const found = await promisify(execFile)(program, args, options).catch(() => undefined);
    if (found?.stdout.subarray(0, PNG.length).equals(PNG))
      return { name: 'clipboard.png', dataUrl: `data:image/png;base64,${found.stdout.toString('base64')}` };
  }
  return undefined;
}

export async function uploadPicture(picture: Picture, { sessions }: Services): Promise<{ id: string; name: string }> {
  const { id, nome } = await sessions.images.upload(picture);
  return { id, name: nome };
}

function unquoted(text: string): string | undefined {
  if (text.startsWith('file://')) {
    try {
      return fileURLToPath(text);
    } catch {
      // Not a file URL of this computer.
      return undefined;
    }
  }
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2];
  return quoted ?? text.replace(/\\(.)/g, '$1');
}
