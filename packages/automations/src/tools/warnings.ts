import type { PermissionLevel, SelectablePermissionLevel } from '@fucina/shared';
import { type Threat, threatsIn } from '../threats.ts';

/** How an automation exceeds the rights of the conversation that asks for it. Codes of the interface. */
export type EscalationWarning =
  | 'accesso-pieno'
  | 'permessi-piu-ampi'
  | 'altra-cartella'
  | 'cartella-mai-aperta'
  | 'coordinazione-accesa';

/** The warnings on the approval card. */
export interface Warnings {
  oltre: EscalationWarning[];
  minacce: Threat[];
}

const POWER: Record<PermissionLevel, number> = {
  Research: 0,
  'Read only': 0,
  'On request': 1,
  'Workspace write': 2,
  'Full access': 3,
};

export interface JudgedAutomation {
  permissions?: SelectablePermissionLevel | undefined;
  folder?: string | undefined;
  coordinates?: boolean | undefined;
  instructions?: string | undefined;
}

export interface Conversation {
  folder: string;
  level: PermissionLevel | undefined;
  isKnownFolder(folder: string): boolean;
}

/** Checks only the fields that are sent: a change that leaves the rights alone widens none. */
export function warningsOf(
  { permissions, folder, coordinates, instructions }: JudgedAutomation,
  here: Conversation,
): Warnings {
  const oltre: EscalationWarning[] = [];
  if (permissions === 'Full access') oltre.push('accesso-pieno');
  if (permissions && POWER[permissions] > POWER[here.level ?? 'Read only']) oltre.push('permessi-piu-ampi');
  if (folder !== undefined && folder !== here.folder) oltre.push('altra-cartella');
  if (folder !== undefined && folder !== here.folder && !here.isKnownFolder(folder)) oltre.push('cartella-mai-aperta');
  if (coordinates) oltre.push('coordinazione-accesa');
  return { oltre, minacce: threatsIn(instructions ?? '') };
}
