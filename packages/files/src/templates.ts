import { mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Ambient, entriesBelow, once, removeTree, systemCode } from '@fucina/shared';
import { filesError } from './errors.ts';

/** A small bundled project with a task, from which a session may start. */
export interface TaskTemplate {
  id: string;
  /** Name of the project. */
  project: string;
  difficulty: 'easy' | 'medium' | 'hard';
  testCommand: string;
  words: Readonly<Record<'it' | 'en', TemplateWords>>;
}

export interface TemplateWords {
  /** One line. */
  short: string;
  /** The prompt for the agent. */
  assignment: string;
}

/** The catalog of templates and the private copies that sessions work in. */
export interface Templates {
  /** Easiest first. Throws TASK_CATALOG_UNAVAILABLE when the catalog is missing or unreadable. */
  list(): Promise<TaskTemplate[]>;
  /** Only an exact id of the catalog, else TASK_NOT_ALLOWED. Throws as `list`. */
  find(id: string): Promise<TaskTemplate>;
  /** A disposable copy of its project: absolute real path. */
  copy(template: TaskTemplate): Promise<string>;
  /** Deletes copies at least an hour old that no session uses. Returns how many. */
  sweep(usedFolders: () => Promise<readonly string[]>): Promise<number>;
  /** Deletes the copy of a session that did not start. */
  discard(copy: string): Promise<void>;
}

export interface TemplatesNeeds {
  ambient: Ambient;
  dataDir: string;
  /** Absolute path of the catalog: a folder per template, with `template.json` and `project/`. */
  templatesDir?: string;
}

const ORDER = ['easy', 'medium', 'hard'] as const;
const FRESH_MS = 3_600_000;

export function createTemplates({ ambient, dataDir, templatesDir }: TemplatesNeeds): Templates {
  const copies = join(dataDir, 'tasks');
  // A catalog that becomes available again is used again.
  const list = once(() =>
    readCatalog(templatesDir).catch((cause: unknown): never => {
      throw filesError('TASK_CATALOG_UNAVAILABLE', { cause });
    }),
  );

  return {
    list,

    async find(id) {
      const found = (await list()).find((template) => template.id === id);
      if (!found) throw filesError('TASK_NOT_ALLOWED');
      return found;
    },

    async copy({ id, project }) {
      const target = join(copies, ambient.newId(), project);
      await mkdir(target, { recursive: true, mode: 0o700 });
      await copyFiles(join(templatesDir ?? '', id, 'project'), target);
      return realpath(target);
    },

    discard: (copy) => removeTree(dirname(copy)),

    async sweep(usedFolders) {
      const present = await childrenOf(copies);
      if (!present.length) return 0;
      const used = new Set((await usedFolders()).map(dirname));
      let swept = 0;
      for (const name of present) {
        const folder = join(await realpath(copies), name);
        const { mtimeMs } = await stat(folder);
        if (used.has(folder) || mtimeMs > ambient.now() - FRESH_MS) continue;
        await removeTree(folder);
        swept += 1;
      }
      return swept;
    },
  };
}

async function readCatalog(folder: string | undefined): Promise<TaskTemplate[]> {
  if (!folder) throw new Error('no catalog of templates is configured');
  const ids = await readdir(folder);
  const templates = await Promise.all(
    ids.map(async (id) => parseTemplate(id, await readFile(join(folder, id, 'template.json'), 'utf8'))),
  );
  if (!templates.length) throw new Error('the catalog of templates is empty');
  return templates.sort((a, b) => ORDER.indexOf(a.difficulty) - ORDER.indexOf(b.difficulty) || (a.id < b.id ? -1 : 1));
}

function parseTemplate(id: string, json: string): TaskTemplate {
  const { project, difficulty, testCommand, it, en } = JSON.parse(json) as Record<string, unknown>;
  const words = { it: parseWords(it), en: parseWords(en) };
  const isKnown = (value: unknown): value is TaskTemplate['difficulty'] => ORDER.some((one) => one === value);
  if (typeof project !== 'string' || typeof testCommand !== 'string' || !isKnown(difficulty)) {
    throw new Error(`template ${id} is malformed`);
  }
  return { id, project, difficulty, testCommand, words };
}

function parseWords(value: unknown): TemplateWords {
  const { short, assignment } = value as Record<string, unknown>;
  if (typeof short !== 'string' || typeof assignment !== 'string') throw new Error('a template has no words');
  return { short, assignment };
}

/** Copied with new permissions, so that a copy can be changed even where the catalog is read-only. */
async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await entriesBelow(from);
  for (const entry of entries.filter((one) => one.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await readFile(source));
  }
}

async function childrenOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
