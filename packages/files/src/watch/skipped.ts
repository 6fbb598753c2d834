/** Contents of version control, packages and builds: whatever a project's own rules say. */
const SKIPPED = [
  '.git',
  'node_modules',
  'dist',
  'build',
  'target',
  'coverage',
  '.venv',
  '__pycache__',
  '.turbo',
  '.cache',
];

const names = SKIPPED.map((name) => name.replace('.', '\\.')).join('|');
/** Our own temporary files, before they are renamed. */
const temporary = '\\.fucina-\\d+-\\d+\\.tmp';

/** Matches a relative path with such a folder, or such a file, anywhere in it. */
export const SKIPPED_PATH = new RegExp(`(^|[\\\\/])(${names}|${temporary})([\\\\/]|$)`);

export const isSkipped = (name: string): boolean => SKIPPED_PATH.test(name);

/** More changes at a time are named by their top-level folders. */
const MAX_PATHS = 500;

/** Adds a relative path to those of one batch. */
export function addPath(paths: Set<string>, path: string): void {
  paths.add(paths.size < MAX_PATHS ? path : (path.split('/')[0] as string));
}
