import { PERMISSION_LEVELS, REASONING_EFFORTS } from '@fucina/shared';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { CommandFacts, CommonFlags, GroupFacts } from './command-facts.ts';
import { INPUT_FORMATS, OUTPUT_FORMATS, PERMISSION_MODES, SCOPES } from './config/keys.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { type Io, isByLines, isInteractive } from './io.ts';
import type { OneShotFlags } from './one-shot/request.ts';
import { appCommand, isOpenable } from './program-app.ts';
import { backupCommands } from './program-backup.ts';
import { configCommands } from './program-config.ts';
import { domainCommands } from './program-domains.ts';
import { permissionCommands } from './program-permissions.ts';
import { providerCommands } from './program-providers.ts';
import { serviceCommands } from './program-service.ts';
import { traceCommand } from './program-trace.ts';
import { upgradeCommand } from './program-upgrade.ts';
import { comparisonCommands } from './program-worktrees.ts';
import { createTerminal } from './terminal.ts';
import { languageOf, type Say, translatorFor } from './words/index.ts';

interface Build {
  io: Io;
  say: Say;
  settle(exit: ExitCode): void;
}

export async function runProgram(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const build: Build = { io, say: translatorFor(languageOf(io.env)), settle: (code) => (exit = code) };
  const program = buildProgram(build);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { reportFailure } = await import('./failure.ts');
    return reportFailure(error, createTerminal(io, { isPlain: argv.includes('--no-color') }));
  }
}

function buildProgram(build: Build): Command {
  const { io, say } = build;
  const program = new Command('fucina')
    .description(say('help.program'))
    .helpOption('-h, --help', say('help.help'))
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .configureHelp({
      styleTitle: (title) => titleIn(say, title),
      optionDescription: ({ description, argChoices }) =>
        argChoices ? `${description} (${argChoices.join(', ')})` : description,
    })
    .addHelpText('after', `\n${say('help.exits')}\n\n${say('help.examples')}`);
  addOneShot(program, build);
  addSessions(program, build);
  addProviders(program, build);
  addDoctor(program, build);
  const config = group(program, build, { name: 'config', about: say('help.config') });
  for (const facts of configCommands(say)) add(config, build, facts);
  for (const { commands, ...facts } of domainCommands(say)) {
    const parent = group(program, build, facts);
    for (const command of commands) add(parent, build, command);
  }
  addSettings(program, build);
  addPrograms(program, build);
  program.command('serve').description(say('help.serve'));
  program.command('open').description(say('help.open'));
  return program;
}

function addSettings(program: Command, build: Build): void {
  const { say } = build;
  const groups = [
    { name: 'permissions', about: say('help.rules'), commands: permissionCommands(say) },
    { name: 'service', about: say('help.service'), commands: serviceCommands(say) },
    { name: 'backup', about: say('help.backup'), commands: backupCommands(say) },
  ];
  for (const { commands, ...facts } of groups) {
    const parent = group(program, build, facts);
    for (const command of commands) add(parent, build, command);
  }
}

function addPrograms(program: Command, build: Build): void {
  const { say } = build;
  add(program, build, upgradeCommand(say));
  add(program, build, appCommand(say));
  add(program, build, {
    name: 'acp',
    about: say('help.acp'),
    options: [{ flags: '-m, --model <model>', about: say('help.acp-model') }],
    act: async (...given) => (await import('./acp/serve-acp.ts')).serveAcp(...given),
  });
  add(program, build, {
    name: 'completion',
    names: ['shell'],
    about: say('help.completion'),
    act: async (_flags, [shell], { out, err }) => {
      const { completionScript, SHELLS } = await import('./commands/completion.ts');
      const script = completionScript(program, shell ?? '');
      if (script === undefined) err(`error: ${SHELLS.join(', ')}`);
      else out(script);
      return script === undefined ? EXIT.usage : EXIT.done;
    },
  });
  add(program, build, {
    name: 'man',
    about: say('help.man'),
    act: async (_flags, _names, { out }) => {
      const { manPage } = await import('./commands/man-page.ts');
      out(manPage(program));
      return EXIT.done;
    },
  });
}

function addOneShot(program: Command, { io, say, settle }: Build): void {
  program
    .option('-p, --prompt <task>', say('help.task'))
    .option('-m, --model <model>', say('help.model'))
    .option('-d, --dir <folder>', say('help.dir'))
    .addOption(new Option('--cwd <folder>', say('help.dir')).conflicts('dir').hideHelp())
    .addOption(
      new Option('--permission-mode <mode>', say('help.permission-mode'))
        .choices(PERMISSION_MODES)
        .conflicts('permissions'),
    )
    .addOption(new Option('--permissions <level>', say('help.permissions')).argParser(parseLevel))
    .option('--test-command <command>', say('help.test-command'))
    .addOption(new Option('--reasoning <effort>', say('help.reasoning')).choices(REASONING_EFFORTS))
    .addOption(new Option('-r, --resume <session>', say('help.resume')).conflicts('continue'))
    .option('-c, --continue', say('help.continue'))
    .option('--fork', say('help.fork'))
    .option('-w, --worktree [name]', say('help.worktree'))
    .addOption(new Option('--pr <number>', say('help.pr')).argParser(countUpTo(2_147_483_647)))
    .option('--copy-env', say('help.copy-env'))
    .addOption(new Option('--max-turns <count>', say('help.max-turns')).argParser(countUpTo(9_999)))
    .option('--stdin', say('help.stdin'))
    .addOption(new Option('--add-file <path>', say('help.add-file')).argParser(collect))
    .addOption(new Option('--input-format <format>', say('help.input-format')).choices(INPUT_FORMATS))
    .option('--json-schema <schema>', say('help.json-schema'))
    .addOption(
      new Option('--output-format <format>', say('help.output-format')).choices(OUTPUT_FORMATS).conflicts('json'),
    )
    .option('-q, --quiet', say('help.quiet'))
    .option('--plain', say('help.plain'));
  addCommon(program, say).version('', '-V, --version', say('help.version'));
  program.argument('[message]', say('help.message')).action(async (message: string | undefined) => {
    const flags = program.opts<OneShotFlags & CommonFlags>();
    if (message !== undefined && flags.prompt === undefined && (await isOpenable(message, io))) {
      const { openApp } = await import('./commands/app.ts');
      return settle(await openApp(flags, [message], createTerminal(io, { isPlain: flags.color === false })));
    }
    // A single word that is not a command was probably meant as one.
    if (message !== undefined && !/\s/.test(message)) program.error(`error: unknown command '${message}'`);
    if (!opensScreen(flags, io)) settle(await oneShot(flags, io));
    else if (flags.plain || isByLines(io)) settle(await oneShot({ ...flags, message, isByLines: true }, io));
    else settle(await screen({ ...flags, message }, io));
  });
}

/** Options of a prompt without the screen. */
const ONE_SHOT_FLAGS = [
  'prompt',
  'testCommand',
  'maxTurns',
  'stdin',
  'addFile',
  'inputFormat',
  'jsonSchema',
  'outputFormat',
  'json',
  'quiet',
] as const;

function opensScreen(flags: OneShotFlags, io: Io): boolean {
  return isInteractive(io) && ONE_SHOT_FLAGS.every((flag) => flags[flag] === undefined);
}

async function screen(flags: OneShotFlags & CommonFlags & { message: string | undefined }, io: Io): Promise<ExitCode> {
  const { startScreen } = await import('./screen/app/start.ts');
  return startScreen(flags, { io, runProgram });
}

async function oneShot(flags: OneShotFlags & CommonFlags, io: Io): Promise<ExitCode> {
  const isPlain = flags.color === false;
  const { prepare } = await import('./one-shot/request.ts');
  const prepared = await prepare(flags, createTerminal(io, { isPlain }));
  if ('exit' in prepared) return prepared.exit;
  const { runOneShot } = await import('./one-shot/one-shot.ts');
  return runOneShot(prepared.request, createTerminal(io, { isPlain, theme: prepared.config.theme }));
}

function countUpTo(most: number): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d*$/.test(text) || Number(text) > most) throw new InvalidArgumentError(`1 … ${most}`);
    return Number(text);
  };
}

function collect(path: string, before: string[] = []): string[] {
  return [...before, path];
}

/** The interface's spelling, ignoring case; also accepts `read-only`. */
function parseLevel(text: string): (typeof PERMISSION_LEVELS)[number] {
  const wanted = text.trim().toLowerCase().replace(/[-_]+/g, ' ');
  const level = PERMISSION_LEVELS.find((name) => name.toLowerCase() === wanted);
  if (!level) throw new InvalidArgumentError(PERMISSION_LEVELS.join(', '));
  return level;
}

function addSessions(program: Command, build: Build): void {
  const { say } = build;
  const load = () => import('./commands/sessions.ts');
  const sessions = group(program, build, { name: 'sessions', about: say('help.sessions') });
  const one = { names: ['id'] };
  const commands: CommandFacts[] = [
    {
      name: 'list',
      about: say('help.sessions-list'),
      isDefault: true,
      act: async (...given) => (await load()).listSessions(...given),
    },
    {
      name: 'search',
      names: ['words...'],
      about: say('help.sessions-search'),
      act: async (...given) => (await load()).searchSessions(...given),
    },
    {
      ...one,
      name: 'show',
      about: say('help.sessions-show'),
      act: async (...given) => (await load()).showSession(...given),
    },
    traceCommand(say),
    {
      ...one,
      name: 'export',
      about: say('help.sessions-export'),
      options: [{ flags: '--format <format>', about: say('help.sessions-format'), choices: ['json', 'md', 'html'] }],
      act: async (...given) => (await load()).exportSession(...given),
    },
    {
      name: 'import',
      names: ['file'],
      about: say('help.sessions-import'),
      options: [{ flags: '-d, --dir <folder>', about: say('help.dir') }],
      act: async (...given) => (await load()).importSession(...given),
    },
    {
      ...one,
      name: 'delete',
      about: say('help.sessions-delete'),
      act: async (...given) => (await load()).deleteSession(...given),
    },
    {
      name: 'rename',
      names: ['id', 'name'],
      about: say('help.sessions-rename'),
      act: async (...given) => (await load()).renameSession(...given),
    },
    ...comparisonCommands(say),
  ];
  for (const facts of commands) add(sessions, build, facts);
}

function addProviders(program: Command, build: Build): void {
  const { say } = build;
  const load = () => import('./commands/providers.ts');
  add(program, build, {
    name: 'models',
    about: say('help.models'),
    act: async (...given) => (await import('./commands/models.ts')).models(...given),
  });
  add(group(program, build, { name: 'model', about: say('help.model-group') }), build, {
    name: 'show',
    names: ['model'],
    about: say('help.model-show'),
    act: async (...given) => (await import('./commands/model-show.ts')).showModel(...given),
  });
  add(program, build, {
    name: 'providers',
    about: say('help.providers'),
    act: async (...given) => (await load()).listProviders(...given),
  });
  const provider = group(program, build, { name: 'provider', about: say('help.provider') });
  for (const facts of providerCommands(say)) add(provider, build, facts);
}

function group(parent: Command, { say }: Build, { name, about }: GroupFacts): Command {
  const command = parent.command(name).description(about).helpCommand(false);
  return addCommon(command.helpOption('-h, --help', say('help.help')), say);
}

function addDoctor(program: Command, build: Build): void {
  const { say } = build;
  add(program, build, {
    name: 'doctor',
    about: say('help.doctor'),
    options: [{ flags: '--repair', about: say('help.doctor-repair') }],
    act: async (...given) => (await import('./commands/doctor.ts')).doctor(...given),
  });
}

function add(parent: Command, { io, say, settle }: Build, facts: CommandFacts): void {
  const { name, about, names = [], isDefault = false, act } = facts;
  const command = parent.command(name, { isDefault }).description(about).helpOption('-h, --help', say('help.help'));
  for (const argument of names)
    command.addArgument(new Argument(argument.startsWith('[') ? argument : `<${argument}>`));
  if (facts.alias) command.alias(facts.alias);
  for (const { flags, about: what, choices, most, isRepeated } of facts.options ?? []) {
    const option = new Option(flags, what);
    if (choices) option.choices(choices);
    if (isRepeated) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    if (most !== undefined) option.argParser(countUpTo(most));
    command.addOption(option);
  }
  if (facts.isScoped) command.addOption(new Option('--scope <scope>', say('help.scope')).choices(SCOPES));
  // A word that is not a command arrives here as an argument of the default one.
  command.allowExcessArguments(isDefault);
  addCommon(command, say).action(async () => {
    if (isDefault && command.args.length > names.length) parent.error(`error: unknown command '${command.args[0]}'`);
    const flags = flagsOf(command);
    settle(await act(flags, command.args, createTerminal(io, { isPlain: flags.color === false })));
  });
}

/**
 * A flag may come before or after the command's name. With commander's own merge an absent --no-color would override a
 * given one.
 */
function flagsOf(command: Command): CommonFlags {
  const above = command.parent ? flagsOf(command.parent) : {};
  const own = command.opts<CommonFlags>();
  return { ...above, ...own, color: above.color !== false && own.color !== false };
}

function addCommon(command: Command, say: Say): Command {
  return command
    .option('--json', say('help.json'))
    .option('--no-color', say('help.no-color'))
    .option('--data-dir <folder>', say('help.data-dir'))
    .addOption(new Option('--key-store <store>', say('help.key-store')).choices(['system', 'memory']));
}

const TITLES = {
  'Usage:': 'help.title-usage',
  'Options:': 'help.title-options',
  'Commands:': 'help.title-commands',
  'Arguments:': 'help.title-arguments',
} as const;

function titleIn(say: Say, title: string): string {
  const key = TITLES[title as keyof typeof TITLES];
  return key ? say(key) : title;
}
