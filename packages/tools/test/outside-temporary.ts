import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const FOLDERS = [join(import.meta.dirname, '../node_modules'), userInfo().homedir];

/**
 * Where a suite of the sandbox makes its folders. Not in a temporary folder, where a clone may be: commands get one of the
 * session's own in its place.
 */
export const OUTSIDE_TEMPORARY = FOLDERS.find((path) => !/^\/(var\/)?tmp\//.test(path)) ?? tmpdir();
