import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { project, run } from './jest.config.mjs';
import { longSuites } from './scripts/jest/suites.mjs';
import { root } from './scripts/lib.mjs';

const folders = ['packages', 'apps']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'package.json')));

/**
 * Of FUCINA_TEST_SET: `short` is what `npm test` runs, `rest` what it leaves out; without it, all. FUCINA_TEST_ONLY is
 * the path of a single suite.
 */
function suitesOf(folder) {
  const only = process.env.FUCINA_TEST_ONLY;
  if (only) return { testMatch: only.startsWith(`${join(root, folder)}${sep}`) ? [only] : [] };
  const long = longSuites
    .filter((suite) => suite.startsWith(`${folder}/`))
    .map((suite) => suite.slice(folder.length + 1));
  switch (process.env.FUCINA_TEST_SET) {
    case 'short': {
      const patterns = long.map((suite) => `/${folder}/${suite.replaceAll('.', '\\.')}$`);
      return { testPathIgnorePatterns: [...project.testPathIgnorePatterns, ...patterns] };
    }
    case 'rest':
      return { testMatch: long.map((suite) => `<rootDir>/${suite}`) };
    default:
      return {};
  }
}

/** Every package in one run, each as a project with its own root. */
export default {
  ...run,
  projects: folders
    .map((folder) => ({ ...project, ...suitesOf(folder), rootDir: join(root, folder), displayName: folder }))
    .filter(({ testMatch }) => testMatch.length > 0),
};
