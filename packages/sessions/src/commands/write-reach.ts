import type { WriteReach } from '@fucina/shared';
import type { SessionSettings } from '../state/session.ts';

const REACH: Record<SessionSettings['permissions'], WriteReach> = {
  'Read only': 'nothing',
  'On request': 'folder',
  'Workspace write': 'folder',
  'Full access': 'anything',
  Research: 'nothing',
};

/** Where the agent's commands may write. */
export const writeReach = ({ permissions }: Pick<SessionSettings, 'permissions'>): WriteReach => REACH[permissions];
