import type { RuleVerdict, ToolAction } from '@fucina/shared';
import type { PermissionRules, RuleTexts } from '@fucina/tools';

/** Read once somebody asks: the grammar of the shell comes with it. */
export async function loadPermissionRules(texts: RuleTexts): Promise<PermissionRules> {
  return (await import('@fucina/tools')).createPermissionRules(texts);
}

/** What sessions ask of the rules; undefined where there are none. */
export function ruleJudge(
  texts: RuleTexts | undefined,
): ((action: ToolAction, folder: string) => Promise<RuleVerdict | undefined>) | undefined {
  if (!texts || Object.values(texts).every((list: readonly string[]) => list.length === 0)) return undefined;
  let rules: Promise<PermissionRules> | undefined;
  return async (action, folder) =>
    (await (await (rules ??= loadPermissionRules(texts))).judge(action, folder))?.verdict;
}
