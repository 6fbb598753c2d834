import { describe } from '@jest/globals';
import { blocksEveryAttack } from './escapes/suite.ts';

describe('in a sandbox that waited for its command', () => blocksEveryAttack('folder', 'waiting'));
