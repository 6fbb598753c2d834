import { PORTS_USAGE } from '../../ports-command.ts';
import { ranked } from '../input/completion/fuzzy.ts';
import { discardChanges, restoreDiscarded } from '../pickers/discard-picker.ts';
import { modelRows, nameModel, pickModel } from '../pickers/model-picker.ts';
import { chooseProvider, pickProvider } from '../pickers/provider-picker.ts';
import { rewind } from '../pickers/rewind-picker.ts';
import { openSession, pickSession, sessionById, sessionRows } from '../pickers/session-picker.ts';
import type { PickerRow, Workbench } from '../workbench.ts';
import { type SlashCommand, UsageProblem } from './command.ts';
import { namePermissions, permissionCandidates, pickPermissions, togglePlan } from './permission-modes.ts';
import { portCandidates, portsCommand } from './ports.ts';
import { showContext, showCost, showDiff, showLibrary, showStatus } from './reports.ts';
import { runTool, shellWords } from './run-captured.ts';
import { compact, queueCommand } from './session-commands.ts';

/** Every slash command of the screen, in the order of the help. */
export const COMMANDS: readonly SlashCommand[] = [
  {
    name: 'help',
    about: 'slash.help',
    run: async (_argument, workbench) => (await import('./help.ts')).showHelp(workbench, COMMANDS),
  },
  {
    name: 'model',
    usage: '[provider:model]',
    about: 'slash.model',
    values: async (workbench) => (await modelRows(workbench)).map(wholeOf),
    run: (model, workbench) => (model ? nameModel(model, workbench) : pickModel(workbench)),
  },
  {
    name: 'provider',
    usage: '[provider]',
    about: 'slash.provider',
    values: async ({ services }) =>
      (await services.providers.registry.list()).map(({ id, label }) =>
        wholeOf({ value: id, label: id, detail: label }),
      ),
    run: (id, workbench) => (id ? chooseProvider(id, workbench) : pickProvider(workbench)),
  },
  {
    name: 'permissions',
    usage: '[mode | dry-run <shell command>]',
    about: 'slash.permissions',
    values: (workbench) => [...permissionCandidates(workbench), { text: 'dry-run ', label: 'dry-run' }],
    run: permissions,
  },
  { name: 'plan', about: 'slash.plan', run: (_argument, workbench) => togglePlan(workbench) },
  {
    name: 'queue',
    usage: '[show | clear | run]',
    about: 'slash.queue',
    values: () => ['show', 'clear', 'run'].map((value) => wholeOf({ value, label: value })),
    run: queueCommand,
  },
  {
    name: 'diff',
    usage: '[turn | session | discard | restore]',
    about: 'slash.diff',
    values: () => ['turn', 'session', 'discard', 'restore'].map((value) => wholeOf({ value, label: value })),
    isOfSession: (argument) => /^(?:turn|turno|session|sessione)$/.test(argument),
    run(argument, workbench) {
      if (argument === 'discard') return discardChanges(workbench);
      if (argument === 'restore') return restoreDiscarded(workbench);
      if (argument) throw new UsageProblem();
      return showDiff(workbench);
    },
  },
  { name: 'status', about: 'slash.status', run: (_argument, workbench) => showStatus(workbench) },
  {
    name: 'ports',
    usage: PORTS_USAGE,
    about: 'slash.ports',
    values: portCandidates,
    run: portsCommand,
  },
  { name: 'context', about: 'slash.context', run: (_argument, workbench) => showContext(workbench) },
  { name: 'cost', about: 'slash.cost', run: (_argument, workbench) => showCost(workbench) },
  { ...toolCommand('usage', 'budget', 'allow', 'price'), about: 'slash.usage-report' },
  { name: 'compact', about: 'slash.compact', run: (_argument, workbench) => compact(workbench) },
  { name: 'clear', about: 'slash.clear', run: (_argument, { conversation }) => conversation.leave() },
  { name: 'redraw', about: 'slash.redraw', run: (_argument, { redraw }) => redraw() },
  sessionCommand('resume'),
  sessionCommand('fork'),
  { name: 'rewind', about: 'slash.rewind', run: (_argument, workbench) => rewind(workbench) },
  toolCommand('mcp', 'list', 'add', 'test', 'trust'),
  toolCommand('hooks', 'list', 'trust'),
  toolCommand('plugins', 'list', 'trust'),
  toolCommand('doctor'),
  toolCommand('sandbox', 'rules', 'allow', 'remove', 'network', 'test'),
  toolCommand('memory', 'list', 'add', 'delete'),
  toolCommand('notes', 'list', 'show', 'add', 'delete'),
  toolCommand('tasks', 'list', 'add', 'start', 'done', 'reopen', 'delete'),
  { name: 'library', about: 'slash.library', run: (_argument, workbench) => showLibrary(workbench) },
  {
    ...toolCommand('research', 'list', 'show', 'export', 'delete'),
    usage: '[question | list | show | export | delete]',
    // Any other argument is a question.
    isOfSession: (argument) => argument !== '' && !/^(?:list|show|export|delete|--json|--help|-h)\b/.test(argument),
  },
  toolCommand('automations', 'list', 'show', 'inbox', 'on', 'off', 'delete'),
  toolCommand('forge', 'list', 'enable', 'disable'),
  { name: 'exit', about: 'slash.exit', run: (_argument, { exit }) => exit() },
];

export function commandNamed(name: string): SlashCommand | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** The most similar name. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [near] = ranked(name, names, (one) => one);
  if (near !== undefined) return near;
  const [nearest] = names.map((one) => ({ one, away: distance(one, name) })).sort((a, b) => a.away - b.away);
  return nearest && nearest.away <= name.length / 2 ? nearest.one : undefined;
}

async function permissions(argument: string, workbench: Workbench): Promise<void> {
  const line = /^dry-run\s+(.+)$/s.exec(argument)?.[1];
  if (line !== undefined) return runTool(['permissions', 'dry-run', line], workbench);
  if (argument === 'dry-run') throw new UsageProblem();
  if (argument) await namePermissions(argument, workbench);
  else pickPermissions(workbench);
}

function sessionCommand(name: 'resume' | 'fork'): SlashCommand {
  return {
    name,
    usage: '[session]',
    about: `slash.${name}`,
    values: async (workbench) =>
      (await sessionRows(workbench)).map(({ value, label, detail }) => ({
        text: value,
        label: value,
        detail: [label, detail].filter(Boolean).join(' · '),
        isWhole: true,
      })),
    async run(id, workbench) {
      if (!id) return pickSession(workbench, name);
      const { header } = await sessionById(workbench, id);
      await openSession(workbench, name, header.sessionId);
    },
  };
}

type ToolName =
  | 'usage'
  | 'mcp'
  | 'hooks'
  | 'plugins'
  | 'doctor'
  | 'sandbox'
  | 'memory'
  | 'notes'
  | 'tasks'
  | 'research'
  | 'automations'
  | 'forge';

/** The command of the command line with the same name. */
function toolCommand(name: ToolName, ...verbs: string[]): SlashCommand {
  return {
    name,
    usage: verbs.length ? `[${verbs.join(' | ')}]` : '[--json]',
    about: `slash.${name}`,
    values: () => verbs.map((verb) => ({ text: `${verb} `, label: verb })),
    run: (argument, workbench) => runTool([name, ...shellWords(argument)], workbench),
  };
}

function wholeOf({ value, label, detail }: PickerRow<string>) {
  return { text: value, label, detail, isWhole: true };
}

/** Edit distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[at - 1] === other[column - 1];
      const change = (row[column - 1] ?? 0) + (isSame ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
