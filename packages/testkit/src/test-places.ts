import { existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const FOLDERS = [join(import.meta.dirname, '../node_modules'), userInfo().homedir];

/** The folder for sandbox test suites. Not in a temporary folder: sandboxes replace those by the session's own. */
export const OUTSIDE_TEMPORARY = FOLDERS.find((path) => !/^\/(var\/)?tmp\//.test(path)) ?? tmpdir();

const OF_ALL = process.getuid?.() === 0 ? ['/srv', '/opt', '/'] : [userInfo().homedir];

/**
 * The same for a suite that runs as root and also starts programs as an ordinary user: other users cannot access
 * temporary folders of a run.
 */
export const OPEN_TO_ALL = OF_ALL.find((path) => existsSync(path)) ?? tmpdir();
