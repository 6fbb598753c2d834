import { createRequire } from 'node:module';

const { TestEnvironment } = createRequire(import.meta.resolve('jest'))('jest-environment-node');
const requireOutside = createRequire(import.meta.url);

/**
 * `requireOutside(path)` loads a built program into the process of the tests: once for all suites of a worker, and outside
 * jest's context, in which loading and each use of a global cost more.
 */
export default class WithPrograms extends TestEnvironment {
  constructor(...args) {
    super(...args);
    this.global.requireOutside = requireOutside;
    // A program outside is given functions of the tests: their errors are errors to it too.
    Object.setPrototypeOf(this.global.Error.prototype, Error.prototype);
  }
}
