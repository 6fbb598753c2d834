import { AppError } from '@fucina/shared';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { canAsk, inFolder, left, offer } from './git.ts';
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
    const { filters, notCompared } = await services.folderGit.programs.read(folder);
    const cells = (filter: (typeof filters)[number]) => [
      { text: oneLine(filter.name), paint: style.accent },
      { text: say(filter.isTrusted ? 'git.program-trusted' : 'git.program-not-trusted') },
      { text: commandsOf(filter).join('; '), paint: style.muted },
    ];
    show({ name: 'filters', rows: filters, empty: say('git.programs-none'), cells }, flags, terminal);
    if (notCompared.length > 0)
      terminal.err(say('git.not-compared', { names: notCompared.map((path) => oneLine(path)).join(', ') }));
    return EXIT.done;
  });
}

/** Shows the commands of a filter and trusts them. NOT_FOUND without one of that name. */
export async function trustGitFilter(flags: Flags, [name]: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async (place) => {
    const { services, folder } = place;
    const { say, err } = terminal;
    const { programs } = services.folderGit;
    const filter = (await programs.read(folder)).filters.find((one) => one.name === name);
    if (!filter) throw new AppError('NOT_FOUND', { reason: 'filter' });
    for (const line of commandsOf(filter)) err(`    ${line}`);
    if (!flags.yes) {
      const answer = canAsk(place) ? await offer({ y: say('git.trust-it'), n: say('git.leave-it') }, place) : 'n';
      if (answer !== 'y') return left(place, { filter: null });
    }
    const { fingerprint } = filter;
    await programs.trustFilter(folder, { name: filter.name, fingerprint });
    reportDone(say('git.filter-trusted', { name: oneLine(filter.name) }), { filter: filter.name, fingerprint }, place);
    return EXIT.done;
  });
}
