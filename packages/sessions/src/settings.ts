import type {
  GatedTool,
  ReasoningChoice,
  SelectablePermissionLevel,
  ToolPermission,
  ToolPermissions,
} from '@fucina/shared';
import { sessionsError } from './errors.ts';
import type { FallbackProvider, SessionSettings } from './state/session.ts';

/** Requested changes; absent fields stay unchanged. */
export interface SettingsPatch {
  model?: string;
  /** null clears it. */
  plannerModel?: string | null;
  reasoning?: ReasoningChoice;
  permissions?: SelectablePermissionLevel;
  /** Replaces the whole map. */
  toolPermissions?: ToolPermissions;
  /** Merged into the current map; with `keepsDenied` a tool set to `deny` stays denied and is reported. */
  mergedToolPermissions?: ToolPermissions;
  keepsDenied?: boolean;
  mode?: SessionSettings['mode'];
  fallbackProviders?: readonly FallbackProvider[];
  language?: 'it' | 'en';
}

export interface SettingsChange {
  settings: SessionSettings;
  /** Tools that stayed at `deny`. */
  notMerged: GatedTool[];
}

/** Pure. Throws QUERY_INVALID for fields that exclude each other. */
export function changeSettings(settings: SessionSettings, patch: SettingsPatch): SettingsChange {
  const { mergedToolPermissions: merged, toolPermissions: whole, keepsDenied, ...rest } = patch;
  if (merged && whole) throw sessionsError('QUERY_INVALID', { reason: 'tool-permissions-given-twice' });
  if (keepsDenied !== undefined && !merged) throw sessionsError('QUERY_INVALID', { reason: 'nothing-to-merge' });
  const next: SessionSettings = { ...settings, ...rest };
  if (whole) return { settings: { ...next, toolPermissions: whole }, notMerged: [] };
  if (!merged) return { settings: next, notMerged: [] };

  const present = settings.toolPermissions ?? {};
  const entries = Object.entries(merged) as [GatedTool, ToolPermission][];
  const isKept = (tool: GatedTool): boolean => keepsDenied === true && present[tool] === 'deny';
  const joined = Object.fromEntries(entries.filter(([tool]) => !isKept(tool)));
  return {
    settings: { ...next, toolPermissions: { ...present, ...joined } },
    notMerged: entries.map(([tool]) => tool).filter(isKept),
  };
}
