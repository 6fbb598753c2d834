import { type Command, textStart } from '@fucina/shared';
import { parseFrontMatter } from '../front-matter.ts';
import type { CommandPlace, CommandText } from './command-places.ts';

/** The meaning of a message that begins with `/`. */
export type SlashMessage =
  /** The server answers it itself; the model never sees it. */
  | { kind: 'answered'; command: Command; argument: string }
  /** A custom command of the user or the project: its text, with the arguments filled in, goes to the model. */
  | { kind: 'written-out'; text: string };

export interface SlashCommands {
  /** Undefined for ordinary text and for unknown names: paths begin with `/`, too. */
  resolve(folder: string, message: string): Promise<SlashMessage | undefined>;
  /** All commands available in this folder, by name. */
  list(folder: string): Promise<CommandFacts[]>;
}

export interface CommandFacts {
  name: string;
  summary: string;
  usage: string;
  /** `written`: defined in a text file of the user or the project, or offered by an MCP server. */
  kind: 'built-in' | 'written';
}

interface SlashNeeds {
  builtIn(): readonly Command[];
  /** Places of custom commands, by precedence. */
  placesFor(folder: string): readonly CommandPlace[];
  offered?: OfferedCommands | undefined;
}

/** Commands from elsewhere: prompts of MCP servers. Their names begin with `mcp__`. */
export interface OfferedCommands {
  list(folder: string): Promise<readonly Omit<CommandFacts, 'kind'>[]>;
  /** The text for the model, or why there is none; undefined: no such command. */
  read(folder: string, asked: { name: string; argument: string }): Promise<OfferedText | undefined>;
}

export type OfferedText = { text: string } | { problem: string };

const NAME = /^\/([A-Za-z][\w:-]{0,119})(?:\s+([\s\S]*))?$/;
const OFFERED = 'mcp__';

export function createSlashCommands({ builtIn, placesFor, offered }: SlashNeeds): SlashCommands {
  return {
    async resolve(folder, message) {
      const [, name = '', argument = ''] = NAME.exec(message.trim()) ?? [];
      if (!name) return undefined;
      if (name.startsWith(OFFERED)) {
        const read = await offered?.read(folder, { name, argument: argument.trim() });
        if (!read) return undefined;
        return 'text' in read ? { kind: 'written-out', text: read.text } : failed(name, read.problem);
      }
      const command = builtIn().find((one) => one.name === name);
      if (command) return { kind: 'answered', command, argument: argument.trim() };
      for (const place of placesFor(folder)) {
        const read = await place.read(name);
        if (read === undefined) continue;
        if ('problem' in read) return failed(name, read.problem);
        return { kind: 'written-out', text: fillIn(parseFrontMatter(read.text).body.trim(), argument.trim()) };
      }
      return undefined;
    },

    async list(folder) {
      const facts = new Map<string, CommandFacts>();
      for (const command of (await offered?.list(folder)) ?? [])
        facts.set(command.name, { ...command, kind: 'written' });
      for (const place of placesFor(folder).toReversed()) {
        for (const name of await place.names()) {
          const read = await place.read(name);
          if (read !== undefined) facts.set(name, factsOf(name, read));
        }
      }
      for (const { name, summary, usage } of builtIn()) facts.set(name, { name, summary, usage, kind: 'built-in' });
      return [...facts.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
    },
  };
}

/** Answered with the problem: nothing goes to the model. */
function failed(name: string, problem: string): SlashMessage {
  const command: Command = { name, summary: '', usage: `/${name}`, run: async () => problem };
  return { kind: 'answered', command, argument: '' };
}

/** The summary is what is wrong with the file, or `description:` of the front matter, else the first line; `argument-hint:` completes the usage. */
function factsOf(name: string, read: CommandText): CommandFacts {
  if ('problem' in read) return { name, summary: read.problem, usage: `/${name}`, kind: 'written' };
  const { field, body } = parseFrontMatter(read.text);
  const summary = field('description') ?? body.trim().split('\n')[0] ?? '';
  const hint = textStart(field('argument-hint') ?? '', 60);
  return {
    name,
    summary: textStart(summary.replace(/^#+\s*/, ''), 120),
    usage: `/${name}${hint && ` ${hint}`}`,
    kind: 'written',
  };
}

/** `$ARGUMENTS` is everything typed after the name, `$1` to `$9` its words; without either it is added at the end. */
function fillIn(text: string, argument: string): string {
  const words = argument.split(/\s+/);
  const hasPlace = /\$(?:ARGUMENTS|[1-9])/.test(text);
  const filled = text.replaceAll(/\$(ARGUMENTS|[1-9])/g, (_whole, place: string) =>
    place === 'ARGUMENTS' ? argument : (words[Number(place) - 1] ?? ''),
  );
  return hasPlace || !argument ? filled : `${filled}\n\n${argument}`;
}
