import { describe } from '@jest/globals';
import { blocksEveryAttack } from './escapes/suite.ts';

describe('in a sandbox that may write nothing', () => blocksEveryAttack('nothing', 'new'));
