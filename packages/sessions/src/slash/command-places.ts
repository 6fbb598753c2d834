import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listInside, PathError, placeAt, readFileInside, systemCode } from '@fucina/shared';
import { parseFrontMatter } from '../front-matter.ts';

/** Where text files with commands are. */
export interface CommandPlace {
  names(): Promise<string[]>;
  /** Undefined when it is missing or too long for a command. */
  read(name: string): Promise<CommandText | undefined>;
}

/** A file with a command, or what is wrong with it: one sentence with the file and the place. */
export type CommandText = { text: string } | { problem: string };

const OWN_NAME = /^[a-z][a-z0-9-]{0,39}$/;
const CLAUDE_PART = /^[A-Za-z][\w-]{0,39}$/;
const PROJECT_COMMANDS = '.svc/commands';
const CLAUDE_COMMANDS = '.claude/commands';
const MAX_BYTES = 64 * 1024;
const MAX_NAME_PARTS = 3;
const MAX_COMMANDS = 200;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR']);

/** `name.md` directly in a folder of the user's. */
export function ownCommands(folder: string): CommandPlace {
  return {
    async names() {
      try {
        return (await readdir(folder)).flatMap((name) => commandName(name, OWN_NAME) ?? []);
      } catch (error) {
        if (ABSENT.has(systemCode(error) ?? '')) return [];
        throw error;
      }
    },
    async read(name) {
      if (!OWN_NAME.test(name)) return undefined;
      const path = join(folder, `${name}.md`);
      try {
        const bytes = await readFile(path);
        return bytes.length > MAX_BYTES ? undefined : commandText(bytes, path);
      } catch (error) {
        if (ABSENT.has(systemCode(error) ?? '')) return undefined;
        throw error;
      }
    },
  };
}

/** `.svc/commands` of a project. */
export function projectCommands(root: string): CommandPlace {
  return commandsInside(root, { folder: PROJECT_COMMANDS, allowed: OWN_NAME, maxParts: 1 });
}

/** `.claude/commands` of a project: `git/push.md` is `git:push`. */
export function claudeCommands(root: string): CommandPlace {
  return commandsInside(root, { folder: CLAUDE_COMMANDS, allowed: CLAUDE_PART, maxParts: MAX_NAME_PARTS });
}

interface InsideRules {
  folder: string;
  /** Of each part of a name. */
  allowed: RegExp;
  maxParts: number;
}

/** Links out of the project are not followed: its text would come from any file of the user's. */
function commandsInside(root: string, { folder, allowed, maxParts }: InsideRules): CommandPlace {
  return {
    async names() {
      const found: string[] = [];
      const folders: string[][] = [[]];
      for (let at = 0; at < Math.min(folders.length, MAX_COMMANDS); at += 1) {
        const parts = folders[at] ?? [];
        for (const { name, kind } of await entriesOf(root, [folder, ...parts].join('/'))) {
          const isFolder = kind === 'folder';
          const part = isFolder ? (allowed.test(name) ? name : undefined) : commandName(name, allowed);
          if (part === undefined) continue;
          if (!isFolder) found.push([...parts, part].join(':'));
          else if (parts.length + 1 < maxParts) folders.push([...parts, part]);
        }
      }
      return found.sort().slice(0, MAX_COMMANDS);
    },
    async read(name) {
      const parts = name.split(':');
      if (parts.length > maxParts || !parts.every((part) => allowed.test(part))) return undefined;
      const path = `${folder}/${parts.join('/')}.md`;
      try {
        return commandText((await readFileInside(root, path, MAX_BYTES)).bytes, path);
      } catch (error) {
        if (error instanceof PathError) return undefined;
        throw error;
      }
    },
  };
}

function commandText(bytes: Buffer, path: string): CommandText {
  const text = bytes.toString('utf8');
  const wrong = (offset: number, allowed: string): CommandText => {
    const { line, column } = placeAt(text, offset);
    return { problem: `${path}:${line}:${column}: ${allowed}` };
  };
  if (text.includes('\0')) return wrong(text.indexOf('\0'), 'expected text, not a zero byte');
  if (parseFrontMatter(text).isUnclosed)
    return wrong(0, 'expected a second line of --- at the end of the front matter');
  return { text };
}

function commandName(file: string, allowed: RegExp): string | undefined {
  const name = file.endsWith('.md') ? file.slice(0, -'.md'.length) : '';
  return allowed.test(name) ? name : undefined;
}

async function entriesOf(root: string, folder: string) {
  try {
    return (await listInside(root, folder)).entries;
  } catch (error) {
    if (error instanceof PathError) return [];
    throw error;
  }
}
