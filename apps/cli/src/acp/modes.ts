import type { SessionModeState } from '@agentclientprotocol/sdk';
import type { OperatingMode, SelectablePermissionLevel } from '@fucina/shared';
import type { Say } from '../words/index.ts';

/** What an editor lets a person choose among: the four levels, and planning. */
export interface ModeSettings {
  permissions: SelectablePermissionLevel;
  mode: OperatingMode;
}

const MODES: Readonly<Record<string, ModeSettings>> = {
  'workspace-write': { permissions: 'Workspace write', mode: 'normal' },
  'on-request': { permissions: 'On request', mode: 'normal' },
  plan: { permissions: 'Workspace write', mode: 'plan' },
  'read-only': { permissions: 'Read only', mode: 'normal' },
  'full-access': { permissions: 'Full access', mode: 'normal' },
};

export function modeSettings(id: string): ModeSettings | undefined {
  return Object.hasOwn(MODES, id) ? MODES[id] : undefined;
}

export function modeId({ permissions, mode }: { permissions: string; mode: OperatingMode }): string {
  if (mode === 'plan') return 'plan';
  return Object.entries(MODES).find(([, one]) => one.permissions === permissions)?.[0] ?? 'workspace-write';
}

export function modeState(currentModeId: string, say: Say): SessionModeState {
  const availableModes = Object.entries(MODES).map(([id, { permissions, mode }]) => ({
    id,
    name: mode === 'plan' ? say('acp.plan') : permissions,
    description: say(`acp.mode-${id}` as Parameters<Say>[0]),
  }));
  return { currentModeId, availableModes };
}
