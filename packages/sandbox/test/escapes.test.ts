import { describe } from '@jest/globals';
import { blocksEveryAttack, succeedsWithoutSandbox } from './escapes/suite.ts';

describe('in a sandbox that may write to the folder', () => blocksEveryAttack('folder', 'new'));
describe('in no sandbox', () => succeedsWithoutSandbox());
