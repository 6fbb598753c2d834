import { loadPermissionRules, type RuleMatch } from '@fucina/host';
import { cleanLine } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { type Config, readConfig } from '../config/config.ts';
import { ruleProblemSentence, ruleProblems } from '../config/rule-problems.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const VERDICTS = ['deny', 'ask', 'allow'] as const;

/** The effective rules, by precedence. */
export async function listRules(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, err, say, style } = terminal;
  const { permissionRules: rules, files } = readConfig(io, io.cwd);
  const { problems } = await loadPermissionRules(rules);
  if (flags.json) {
    out(JSON.stringify({ ...rules, problems }));
    return EXIT.done;
  }
  const paint = { deny: style.danger, ask: style.accent, allow: style.bold };
  for (const verdict of VERDICTS) {
    for (const rule of rules[verdict])
      out(`${paint[verdict](say(`rules.${verdict}`).padEnd(8))} ${cleanLine(rule, 300)}`);
  }
  if (VERDICTS.every((verdict) => rules[verdict].length === 0)) out(say('rules.none'));
  for (const found of await ruleProblems(files)) err(`fucina: ${ruleProblemSentence(found, say)}`);
  return EXIT.done;
}

/** The effect of the rules on a command line, which is not run. */
export async function dryRun(flags: CommonFlags, [line = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, say, style } = terminal;
  const judged = await judgeCommand(readConfig(io, io.cwd), line, io.cwd);
  const verdict = judged?.verdict ?? null;
  if (flags.json) out(JSON.stringify({ command: line, verdict, rule: judged?.rule ?? null }));
  else {
    const by = judged?.rule === undefined ? '' : style.muted(`  ${cleanLine(judged.rule, 300)}`);
    out(`${say(`rules.judged-${judged && judged.rule === undefined ? 'unclear' : (verdict ?? 'none')}`)}${by}`);
  }
  return verdict === null || verdict === 'allow' ? EXIT.done : EXIT.denied;
}

async function judgeCommand(config: Config, line: string, folder: string): Promise<RuleMatch | undefined> {
  const rules = await loadPermissionRules(config.permissionRules);
  return rules.judge({ tipo: 'shell', comando: line }, folder);
}

/** Sentences about the rules that cannot be read: none stops the start. */
export async function ruleWarnings({ files }: Config, { say }: Terminal): Promise<string[]> {
  return (await ruleProblems(files)).map((found) => ruleProblemSentence(found, say));
}
