import { loadPermissionRules, type UnreadableRule } from '@fucina/host';
import type { RuleVerdict } from '@fucina/shared';
import { cleanLine } from '../clean-text.ts';
import type { Say } from '../words/index.ts';
import { RULE_KEYS } from './config.ts';
import { placeOf, type SettingsFile } from './settings-file.ts';

/** A rule of a settings file that cannot be read. */
export interface RuleProblem extends UnreadableRule {
  scope: string;
  path: string;
  key: string;
  line: number;
  column: number;
}

/** Rules in these files that cannot be read, in the order of the files. The shell grammar is not loaded for it. */
export async function ruleProblems(files: readonly SettingsFile[]): Promise<RuleProblem[]> {
  const found: RuleProblem[] = [];
  for (const { scope, path, values } of files) {
    for (const key of RULE_KEYS) {
      const { value, placeIn } = values.get(key) ?? {};
      if (!Array.isArray(value) || placeIn === undefined) continue;
      for (const problem of await unreadable(key, value as string[]))
        found.push({ ...problem, scope, path, key, ...placeIn([value.indexOf(problem.rule)], problem.at) });
    }
  }
  return found;
}

/** The rules among these that cannot be read. */
export async function unreadable(key: string, rules: readonly string[]): Promise<readonly UnreadableRule[]> {
  const verdict = key.slice(key.lastIndexOf('.') + 1) as RuleVerdict;
  const { problems } = await loadPermissionRules({ allow: [], ask: [], deny: [], [verdict]: rules });
  return problems;
}

const WIDTH = 300;

/** What is wrong with the rule, and what it does until it is changed. */
export function ruleProblemSentence(found: RuleProblem, say: Say): string {
  const { verdict, tool } = found;
  const effect = verdict === 'allow' || tool === undefined ? 'nothing' : verdict;
  return say('rules.problem', {
    file: cleanLine(placeOf(found.path, found), Number.MAX_SAFE_INTEGER),
    problem: ruleSentence(found, say),
    effect: say(`rules.until-${effect}`, { tool: cleanLine(tool ?? '', WIDTH) }),
  });
}

export const ruleSentence = ({ rule, problem }: UnreadableRule, say: Say): string =>
  say(`rules.${problem}`, { rule: cleanLine(rule, WIDTH) });
