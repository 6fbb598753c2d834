import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';

/**
 * A page, readable only by the user, that redirects to an address with a key: the browser gets the path of the page as
 * argument, because every user of the computer can see the arguments of a program. Returns its path.
 */
export async function writeOpeningPage(folder: string, address: string): Promise<string> {
  const file = join(folder, 'open.html');
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Fucina</title><meta http-equiv="refresh" content="0;url=${escaped}">`;
  await writeFileAtomically(file, page, { exactMode: 0o600 });
  return file;
}
