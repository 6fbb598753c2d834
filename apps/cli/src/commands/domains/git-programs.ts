import { AppError } from '@fucina/shared';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Cell } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { type HookState, hookChoice, type RepositoryPrograms, showHookFiles } from './git-hooks.ts';
import { canAsk, inFolder, left, offer, type Place } from './git-place.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

const COMMANDS = ['clean', 'smudge', 'process'] as const;
const MAX_COMMAND = 2000;

/** The commands of a filter, as the settings have them. */
function commandsOf(filter: Record<(typeof COMMANDS)[number], string | null>): string[] {
  return COMMANDS.flatMap((name) => {
    const command = filter[name];
    return command === null ? [] : [`${name} = ${oneLine(command, MAX_COMMAND)}`];
  });
}

/** Programs that the repository of the current folder brings along. */
export async function listGitPrograms(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async ({ services, folder }) => {
    const { say, style } = terminal;
    const { filters, hooks, notCompared } = await services.folderGit.programs.read(folder);
    if (flags.json) {
      terminal.out(JSON.stringify({ filters, hooks }));
      return EXIT.done;
    }
    const cells = (filter: (typeof filters)[number]) => [
      { text: oneLine(filter.name), paint: style.accent },
      { text: say(filter.isTrusted ? 'git.program-trusted' : 'git.program-not-trusted') },
      { text: commandsOf(filter).join('; '), paint: style.muted },
    ];
    const rows = [...filters.map(cells), ...hooks.map((hook) => hookCells(hook, terminal))];
    show({ name: 'programs', rows, empty: say('git.programs-none'), cells: (row) => row }, flags, terminal);
    if (notCompared.length > 0)
      terminal.err(say('git.not-compared', { names: notCompared.map((path) => oneLine(path)).join(', ') }));
    return EXIT.done;
  });
}

const HOOK_STATES = { sandboxed: 'git.hook-sandboxed', outside: 'git.hook-outside' } as const;

function hookCells({ name, files, runs }: HookState, { say, style }: Terminal): Cell[] {
  return [
    { text: oneLine(name), paint: style.accent },
    { text: say(runs === null ? 'git.program-not-trusted' : HOOK_STATES[runs]) },
    { text: files.map(({ path }) => oneLine(path)).join(', '), paint: style.muted },
  ];
}

/** Shows a filter or a hook of that name and trusts it. NOT_FOUND without one. */
export async function trustGitProgram(flags: Flags, [name]: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async (place) => {
    const { filters, hooks } = await place.services.folderGit.programs.read(place.folder);
    const hook = hooks.find((one) => one.name === name);
    if (hook) return trustHook(hook, place);
    const filter = filters.find((one) => one.name === name);
    if (!filter) throw new AppError('NOT_FOUND', { reason: 'filter' });
    return trustFilter(filter, place);
  });
}

async function trustHook(hook: HookState, place: Place): Promise<ExitCode> {
  const { services, folder, flags, terminal } = place;
  const { say, err } = terminal;
  const choice = hookChoice(hook, place);
  if (choice.runs !== 'never') {
    showHookFiles(hook, place);
    err(say(choice.runs === 'outside' ? 'git.hook-outside-warning' : 'git.hook-warning'));
    if (!flags.yes) {
      const answer = canAsk(place) ? await offer({ y: say('git.trust-hook'), n: say('git.leave-it') }, place) : 'n';
      if (answer !== 'y') return left(place, { hook: null });
    }
  }
  await services.folderGit.programs.chooseHook(folder, choice);
  const sentence = {
    sandboxed: 'git.hook-trusted',
    outside: 'git.hook-trusted-outside',
    never: 'git.hook-withdrawn',
  } as const;
  reportDone(say(sentence[choice.runs as keyof typeof sentence], { name: hook.name }), { hook: choice }, place);
  return EXIT.done;
}

type Filter = RepositoryPrograms['filters'][number];

async function trustFilter(filter: Filter, place: Place): Promise<ExitCode> {
  const { services, folder, flags, terminal } = place;
  const { say, err } = terminal;
  const { programs } = services.folderGit;
  for (const line of commandsOf(filter)) err(`    ${line}`);
  if (!flags.yes) {
    const answer = canAsk(place) ? await offer({ y: say('git.trust-it'), n: say('git.leave-it') }, place) : 'n';
    if (answer !== 'y') return left(place, { filter: null });
  }
  const { fingerprint } = filter;
  await programs.trustFilter(folder, { name: filter.name, fingerprint });
  reportDone(say('git.filter-trusted', { name: oneLine(filter.name) }), { filter: filter.name, fingerprint }, place);
  return EXIT.done;
}
