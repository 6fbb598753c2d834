import { TestEnvironment } from 'jest-environment-node';
import { expectNothing, expectWithin } from './hang-guard.mjs';

/** The environment of every suite: Node's, whose process ends when a test blocks its event loop. */
export default class extends TestEnvironment {
  async handleTestEvent(event, state) {
    switch (event.name) {
      case 'hook_start':
        return expectWithin(event.hook.timeout ?? state.testTimeout);
      case 'test_fn_start':
        return expectWithin(event.test.timeout ?? state.testTimeout);
      case 'hook_success':
      case 'hook_failure':
      case 'test_fn_success':
      case 'test_fn_failure':
        return expectNothing();
      default:
    }
  }
}
