import { PERMISSION_LEVELS, REASONING_EFFORTS } from '@fucina/shared';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { OUTPUT_FORMATS, PERMISSION_MODES } from './config/keys.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { OneShotFlags } from './one-shot/request.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { languageOf, type Say, sayIn } from './words/index.ts';

/** Flags that every command has. */
export interface CommonFlags {
  json?: boolean;
  dataDir?: string;
  keyStore?: string;
  color?: boolean;
}

/** A command: it says its own errors and answers the exit code. */
type Act = (flags: CommonFlags, names: string[], terminal: Terminal) => Promise<ExitCode>;

interface Build {
  io: Io;
  say: Say;
  settle(exit: ExitCode): void;
}

export async function runProgram(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const build: Build = { io, say: sayIn(languageOf(io.env)), settle: (code) => (exit = code) };
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
  add(program, build, {
    name: 'doctor',
    about: say('help.doctor'),
    act: async (...given) => (await import('./commands/doctor.ts')).doctor(...given),
  });
  addConfig(program, build);
  program.command('serve').description(say('help.serve'));
  program.command('open').description(say('help.open'));
  return program;
}

function addOneShot(program: Command, { io, say, settle }: Build): void {
  program
    .option('-p, --prompt <task>', say('help.task'))
    .option('-m, --model <model>', say('help.model'))
    .option('-d, --dir <folder>', say('help.dir'))
    .addOption(
      new Option('--permission-mode <mode>', say('help.permission-mode'))
        .choices(PERMISSION_MODES)
        .conflicts('permissions'),
    )
    .addOption(new Option('--permissions <level>', say('help.permissions')).argParser(parseLevel))
    .option('--test-command <command>', say('help.test-command'))
    .addOption(new Option('--reasoning <effort>', say('help.reasoning')).choices(REASONING_EFFORTS))
    .option('--resume <session>', say('help.resume'))
    .addOption(
      new Option('--output-format <format>', say('help.output-format')).choices(OUTPUT_FORMATS).conflicts('json'),
    )
    .option('-q, --quiet', say('help.quiet'));
  addCommon(program, say).version('', '-V, --version', say('help.version'));
  program.action(async () => {
    const flags = program.opts<OneShotFlags & CommonFlags>();
    settle(await oneShot(flags, io));
  });
}

async function oneShot(flags: OneShotFlags & CommonFlags, io: Io): Promise<ExitCode> {
  const isPlain = flags.color === false;
  const { prepare } = await import('./one-shot/request.ts');
  const prepared = await prepare(flags, createTerminal(io, { isPlain }));
  if ('exit' in prepared) return prepared.exit;
  const { runOneShot } = await import('./one-shot/one-shot.ts');
  return runOneShot(prepared.request, createTerminal(io, { isPlain, theme: prepared.config.theme }));
}

/** Spelled as the interface has it, whatever the case; `read-only` is understood too. */
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
      ...one,
      name: 'show',
      about: say('help.sessions-show'),
      act: async (...given) => (await load()).showSession(...given),
    },
    {
      ...one,
      name: 'export',
      about: say('help.sessions-export'),
      act: async (...given) => (await load()).exportSession(...given),
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
  add(program, build, {
    name: 'providers',
    about: say('help.providers'),
    act: async (...given) => (await load()).listProviders(...given),
  });
  const provider = group(program, build, { name: 'provider', about: say('help.provider') });
  const one = { names: ['id'] };
  const commands: CommandFacts[] = [
    {
      ...one,
      name: 'set-key',
      about: say('help.provider-set-key'),
      act: async (...given) => (await load()).setKey(...given),
    },
    {
      ...one,
      name: 'remove-key',
      about: say('help.provider-remove-key'),
      act: async (...given) => (await load()).removeKey(...given),
    },
    {
      name: 'set-address',
      names: ['id', 'url'],
      about: say('help.provider-set-address'),
      act: async (...given) => (await load()).setAddress(...given),
    },
    {
      ...one,
      name: 'test',
      about: say('help.provider-test'),
      act: async (...given) => (await load()).testProvider(...given),
    },
  ];
  for (const facts of commands) add(provider, build, facts);
}

function addConfig(program: Command, build: Build): void {
  const { say } = build;
  const load = () => import('./commands/config.ts');
  const config = group(program, build, { name: 'config', about: say('help.config') });
  add(config, build, {
    name: 'path',
    about: say('help.config-path'),
    act: async (...given) => (await load()).configPath(...given),
  });
  add(config, build, {
    name: 'show',
    about: say('help.config-show'),
    isDefault: true,
    act: async (...given) => (await load()).configShow(...given),
  });
}

interface GroupFacts {
  name: string;
  about: string;
}

interface CommandFacts extends GroupFacts {
  /** Arguments, all required. */
  names?: string[];
  isDefault?: boolean;
  act: Act;
}

function group(parent: Command, { say }: Build, { name, about }: GroupFacts): Command {
  const command = parent.command(name).description(about).helpCommand(false);
  return addCommon(command.helpOption('-h, --help', say('help.help')), say);
}

function add(parent: Command, { io, say, settle }: Build, facts: CommandFacts): void {
  const { name, about, names = [], isDefault = false, act } = facts;
  const command = parent.command(name, { isDefault }).description(about).helpOption('-h, --help', say('help.help'));
  for (const argument of names) command.addArgument(new Argument(`<${argument}>`));
  // What is not the name of a command arrives here as an argument of the default one.
  command.allowExcessArguments(isDefault);
  addCommon(command, say).action(async () => {
    if (isDefault && command.args.length > 0) parent.error(`error: unknown command '${command.args[0]}'`);
    const flags = flagsOf(command);
    settle(await act(flags, command.args, createTerminal(io, { isPlain: flags.color === false })));
  });
}

/** A flag may stand before or after the command's name. Commander's own merge would let an absent --no-color undo a given one. */
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
