import type { NetworkMode, NetworkToolView, SandboxPlace, StoredRule } from '@fucina/host';
import { doctorWords } from '@fucina/shared/sentences';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import { columns } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import type { Words } from '../../words/index.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

/** The project of the current folder, or every project. */
const placeOf = (flags: Flags, { io }: Terminal): SandboxPlace => (flags.everywhere ? {} : { path: io.cwd });

/** How commands are sandboxed here, or what is missing for that. */
export async function sandboxStatus(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style, language } = terminal;
  const { view, rules } = await withHost(io, flags, async ({ services: { sandbox } }) => ({
    view: await sandbox.view({ path: io.cwd }),
    rules: await sandbox.rules({ path: io.cwd }),
  }));
  const { state, network } = view;
  if (flags.json) {
    const { kind, isWorking, problem } = state;
    out(JSON.stringify({ mechanism: kind, isWorking, problem: problem ?? null, network, rules: rules.length }));
    return state.isWorking ? EXIT.done : EXIT.failed;
  }
  const finding = state.isWorking ? 'working' : (state.problem ?? 'unsupported');
  const words = doctorWords({ id: 'sandbox', finding, params: { kind: state.kind } }, language);
  out(`${state.isWorking ? style.success('✓') : style.accent('!')} ${words.detail}`);
  if (words.action) out(style.muted(`  → ${words.action}`));
  out(say('sandbox.network', { mode: say(`sandbox.mode-${network.effective}`) }));
  out(say('sandbox.rules', { count: rules.length }));
  return state.isWorking ? EXIT.done : EXIT.failed;
}

/** The rules of this folder; with --everywhere all rules. */
export async function listSandboxRules(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, ({ services }) => services.sandbox.rules(placeOf(flags, terminal)));
  const cells = ({ id, rule, folder }: StoredRule) => [
    { text: shortId(id), paint: style.accent },
    { text: oneLine(rule), paint: style.bold },
    { text: folder === null ? say('sandbox.everywhere') : oneLine(folder), paint: style.muted },
  ];
  show({ name: 'rules', rows, empty: say('sandbox.no-rules'), cells }, flags, terminal);
  return EXIT.done;
}

/** PERMISSIONS_INVALID for a rule that allows nothing or too much. */
export async function allowInSandbox(flags: Flags, [text = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const rule = await withHost(terminal.io, flags, ({ services }) =>
    services.sandbox.addRule({ text, ...placeOf(flags, terminal) }),
  );
  const where = rule.folder === null ? terminal.say('sandbox.everywhere') : oneLine(rule.folder);
  reportDone(terminal.say('sandbox.added', { rule: oneLine(rule.rule), where }), rule, { flags, terminal });
  return EXIT.done;
}

export async function removeSandboxRule(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const rule = await withHost(terminal.io, flags, async ({ services: { sandbox } }) => {
    const found = findById(await sandbox.rules({}), id, (one) => one.id);
    await sandbox.removeRule(found.id);
    return found;
  });
  reportDone(terminal.say('kept.deleted', { title: oneLine(rule.rule) }), rule, { flags, terminal });
  return EXIT.done;
}

const MODES: readonly string[] = ['off', 'listed', 'open', 'inherit'];

/** `inherit` removes the setting of this project. */
export async function setSandboxNetwork(flags: Flags, [given = '']: string[], terminal: Terminal): Promise<ExitCode> {
  if (!MODES.includes(given)) {
    terminal.err(terminal.say('sandbox.bad-mode', { modes: MODES.join(', ') }));
    return EXIT.usage;
  }
  const mode = given === 'inherit' ? null : (given as NetworkMode);
  const scope = flags.everywhere ? 'everywhere' : 'project';
  const network = await withHost(terminal.io, flags, ({ services }) =>
    services.sandbox.setNetwork({ scope, mode, ...placeOf(flags, terminal) }),
  );
  const { say } = terminal;
  reportDone(say('sandbox.network', { mode: say(`sandbox.mode-${network.effective}`) }), network, { flags, terminal });
  return EXIT.done;
}

/** Whether the tools of the network are denied here. */
export async function listNetworkTools(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const rows = await withHost(terminal.io, flags, ({ services }) =>
    services.sandbox.networkTools(placeOf(flags, terminal)),
  );
  showTools(rows, flags, terminal);
  return EXIT.done;
}

export const denyNetworkTool = (...given: Given): Promise<ExitCode> => setDenied(true, given);
export const allowNetworkTool = (...given: Given): Promise<ExitCode> => setDenied(false, given);

type Given = [flags: Flags, names: string[], terminal: Terminal];

async function setDenied(isDenied: boolean, [flags, [name = ''], terminal]: Given): Promise<ExitCode> {
  return withHost(terminal.io, flags, async ({ services: { sandbox } }) => {
    const known = await sandbox.networkTools({});
    const tool = known.find((one) => one.tool === name)?.tool;
    if (tool === undefined) {
      terminal.err(terminal.say('sandbox.bad-tool', { tools: known.map((one) => one.tool).join(', ') }));
      return EXIT.usage;
    }
    const scope = flags.everywhere ? 'everywhere' : 'project';
    showTools(await sandbox.denyTool({ tool, scope, isDenied, ...placeOf(flags, terminal) }), flags, terminal);
    return EXIT.done;
  });
}

function showTools(rows: readonly NetworkToolView[], flags: Flags, terminal: Terminal): void {
  const { say, style } = terminal;
  const cells = ({ tool, isDenied, deniedBy }: NetworkToolView) => [
    { text: tool, paint: style.bold },
    { text: say(isDenied ? 'sandbox.tool-denied' : 'sandbox.tool-allowed'), paint: style.accent },
    { text: deniedBy.includes('everywhere') ? say('sandbox.everywhere') : '', paint: style.muted },
  ];
  show({ name: 'tools', rows: [...rows], empty: '', cells }, flags, terminal);
}

/** The exit code is `failed` when a result was unexpected, or no sandbox works. */
export async function testSandbox(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style } = terminal;
  const report = await withHost(io, flags, ({ services }) => services.sandbox.test());
  const wrong = report.results.filter(({ outcome, expected }) => outcome !== 'skipped' && outcome !== expected);
  const exit = report.isSandboxed && wrong.length === 0 ? EXIT.done : EXIT.failed;
  if (flags.json) {
    out(JSON.stringify(report));
    return exit;
  }
  const rows = report.results.map((result) => {
    const isWrong = wrong.includes(result);
    const mark = result.outcome === 'skipped' ? '-' : isWrong ? '✗' : '✓';
    return [
      { text: mark, paint: isWrong ? style.danger : result.outcome === 'skipped' ? style.muted : style.success },
      { text: say(`sandbox.try-${result.id}` as keyof Words) },
      { text: say(`sandbox.outcome-${result.outcome}`), paint: isWrong ? style.danger : style.muted },
    ];
  });
  for (const row of columns(rows)) out(row);
  if (!report.isSandboxed) out(say('sandbox.try-none'));
  return exit;
}
