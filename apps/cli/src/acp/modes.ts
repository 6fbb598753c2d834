import type { SessionModeState } from '@agentclientprotocol/sdk';
import type { OperatingMode, SelectablePermissionLevel } from '@fucina/shared';
import type { Say } from '../words/index.ts';

/** The modes for an editor: the four permission levels, and plan mode. */
export interface ModeSettings {
  permissions: SelectablePermissionLevel;
  mode: OperatingMode;
}

const MODES = {
  'workspace-write': { permissions: 'Workspace write', mode: 'normal' },
  'on-request': { permissions: 'On request', mode: 'normal' },
  plan: { permissions: 'Workspace write', mode: 'plan' },
  'read-only': { permissions: 'Read only', mode: 'normal' },
  'full-access': { permissions: 'Full access', mode: 'normal' },
} as const satisfies Record<string, ModeSettings>;

type ModeId = keyof typeof MODES;

const IDS = Object.keys(MODES) as ModeId[];

export function modeSettings(id: string): ModeSettings | undefined {
  const known = IDS.find((one) => one === id);
  return known && MODES[known];
}

export function modeId({ permissions, mode }: { permissions: string; mode: OperatingMode }): string {
  if (mode === 'plan') return 'plan';
  return IDS.find((id) => MODES[id].permissions === permissions) ?? 'workspace-write';
}

export function modeState(currentModeId: string, say: Say): SessionModeState {
  const availableModes = IDS.map((id) => ({
    id,
    name: id === 'plan' ? say('acp.plan') : MODES[id].permissions,
    description: say(`acp.mode-${id}`),
  }));
  return { currentModeId, availableModes };
}
