import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The license of the Node that runs this; packages contain both. */
export function nodeLicense() {
  const folder = dirname(process.execPath);
  const places = ['/usr/share/doc/nodejs/LICENSE', join(folder, '../LICENSE'), join(folder, 'LICENSE')];
  const found = places.find((path) => existsSync(path));
  if (!found) throw new Error(`the license of Node is not in ${places.join(' or ')}`);
  return readFileSync(found);
}
