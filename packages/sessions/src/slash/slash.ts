import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, systemCode } from '@fucina/shared';

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
  /** Folders of custom commands, by precedence: the project's `.svc/commands`, then the user's own. */
  foldersFor(folder: string): readonly string[];
  offered?: OfferedCommands | undefined;
}

/** Commands from elsewhere: prompts of MCP servers. Their names begin with `mcp__`. */
export interface OfferedCommands {
  list(folder: string): Promise<readonly Omit<CommandFacts, 'kind'>[]>;
  /** The text for the model, or why there is none; undefined: no such command. */
  read(folder: string, asked: { name: string; argument: string }): Promise<OfferedText | undefined>;
}

export type OfferedText = { text: string } | { problem: string };

const NAME = /^\/([a-z][a-z0-9-]{0,39}|mcp__[\w-]{1,59})(?:\s+([\s\S]*))?$/;
const OFFERED = 'mcp__';
const FILE_NAME = /^([a-z][a-z0-9-]{0,39})\.md$/;
const MAX_BYTES = 64 * 1024;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR']);

export function createSlashCommands({ builtIn, foldersFor, offered }: SlashNeeds): SlashCommands {
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
      for (const place of foldersFor(folder)) {
        const text = await readCommand(join(place, `${name}.md`));
        if (text !== undefined) return { kind: 'written-out', text: fillIn(body(text), argument.trim()) };
      }
      return undefined;
    },

    async list(folder) {
      const facts = new Map<string, CommandFacts>();
      for (const command of (await offered?.list(folder)) ?? [])
        facts.set(command.name, { ...command, kind: 'written' });
      for (const place of foldersFor(folder).toReversed()) {
        for (const name of await namesIn(place)) {
          const text = await readCommand(join(place, `${name}.md`));
          if (text !== undefined)
            facts.set(name, { name, summary: summaryOf(text), usage: `/${name}`, kind: 'written' });
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

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
  } catch (error) {
    if (ABSENT.has(systemCode(error) ?? '')) return [];
    throw error;
  }
}

/** Undefined when it is missing or too long for a command. */
async function readCommand(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return text.length > MAX_BYTES ? undefined : text;
  } catch (error) {
    if (ABSENT.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/;

function body(text: string): string {
  return text.replace(FRONT_MATTER, '').trim();
}

/** `description:` of the front matter, else the first line. */
function summaryOf(text: string): string {
  const [, header = ''] = FRONT_MATTER.exec(text) ?? [];
  const [, description] = /^description:\s*["']?(.*?)["']?\s*$/m.exec(header) ?? [];
  return (description ?? body(text).split('\n')[0] ?? '').replace(/^#+\s*/, '').slice(0, 120);
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
