import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { root } from '../lib.mjs';
import { durations } from './suites.mjs';

const { default: Sequencer } = createRequire(import.meta.resolve('jest'))('@jest/test-sequencer');

/** Long suites first, so that no worker runs one alone at the end; in a fresh clone, too. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => durations[relative(root, path).replaceAll('\\', '/')] ?? 0;
    return super.sort(tests).toSorted((one, other) => seconds(other) - seconds(one));
  }
}
