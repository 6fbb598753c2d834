import { writeAction } from '@fucina/conversation/reader';
import type { Services } from '@fucina/host';
import { type AskedAction, projectRule } from '../asked-action.ts';
import { readConfig } from '../config/config.ts';
import { changeKey, withSettingsLock } from '../config/edit-file.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import { settingsPaths } from '../config/settings-paths.ts';
import type { Terminal } from '../terminal.ts';

/** A call that is to be answered in the same way from now on. */
export interface RuleCall {
  action: AskedAction;
  /** The session's folder. */
  folder: string;
  verdict: 'allow' | 'deny';
}

/** The rules that `keepRules` would write; empty if no rule can express it. */
export function rulesFor(services: Services, { action, folder, verdict }: RuleCall): Promise<readonly string[]> {
  return services.standingRules.textsFor(writeAction(action), folder, verdict);
}

/**
 * Writes them to the user's settings for this project, effective immediately; rules that allow a host, a hidden path or
 * a control file are stored as sandbox rules, which the server shows too. False if no rule can express it. Throws
 * CONFIG_INVALID, SESSION_STORE_BUSY.
 */
export async function saveRules(
  { terminal: { io }, dir, services }: { terminal: Terminal; dir: string; services: Services },
  call: RuleCall,
): Promise<boolean> {
  const ofSandbox = call.verdict === 'allow' ? projectRule(call.action) : undefined;
  if (ofSandbox !== undefined) {
    await services.sandbox.addRule({ text: ofSandbox, path: call.folder });
    return true;
  }
  const rules = await rulesFor(services, call);
  const place = settingsPaths(io, dir).find(({ scope }) => scope === 'project-user');
  if (rules.length === 0 || !place) return false;
  const key = `permissions.${call.verdict}`;
  await withSettingsLock(io, async () => {
    const kept = (readSettingsFile(place).values.get(key)?.value as string[] | undefined) ?? [];
    await changeKey(place, key, [...new Set([...kept, ...rules])]);
  });
  services.standingRules.replace(readConfig(io, dir).permissionRules);
  return true;
}
