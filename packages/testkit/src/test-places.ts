import { existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const FOLDERS = [join(import.meta.dirname, '../node_modules'), userInfo().homedir];

/**
 * Where a suite of the sandbox makes its folders. Not in a temporary folder, where a clone may be: commands get one of the
 * session's own in its place.
 */
export const OUTSIDE_TEMPORARY = FOLDERS.find((path) => !/^\/(var\/)?tmp\//.test(path)) ?? tmpdir();

const OF_ALL = process.getuid?.() === 0 ? ['/srv', '/opt', '/'] : [userInfo().homedir];

/** The same for a suite of root that also runs programs as an ordinary user: temporary folders of a run are closed to others. */
export const OPEN_TO_ALL = OF_ALL.find((path) => existsSync(path)) ?? tmpdir();
