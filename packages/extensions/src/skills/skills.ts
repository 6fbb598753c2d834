import { join } from 'node:path';
import { type Ambient, listInside, PathError, readFileInside, type Tool } from '@fucina/shared';
import * as z from 'zod';
import type { RowsOrProblem } from '../hooks/hooks.ts';
import { declaredId } from '../project-file.ts';

export interface Skill {
  id: string;
  name: string;
  description: string;
}

/**
 * Instructions of a project or the user for agents: listed by name and description, read on demand. They run nothing.
 */
export interface Skills {
  list(folder: string): Promise<RowsOrProblem<Skill>>;
  /**
   * The tool that reads them; its description lists them. Undefined when there are none. Without a folder: only the
   * personal ones.
   */
  tool(folder: string | undefined): Promise<Tool | undefined>;
}

export interface SkillsNeeds {
  ambient: Ambient;
  /** The user's own skills: a folder each. */
  personalFolder: string;
  isEnabled(id: string): boolean;
}

const PROJECT_PATH = '.svc/skills';
const MAX_SKILLS = 200;
const MAX_BYTES = 64 * 1024;
const SHOWN_DESCRIPTION = 300;

const front = z.object({ name: z.string().trim().min(1).max(64), description: z.string().trim().min(1).max(1_024) });

/** Location of a skill: a root, and the folder below it. */
interface Found extends Skill {
  root: string;
  path: string;
}

export function createSkills({ ambient, personalFolder, isEnabled }: SkillsNeeds): Skills {
  const places = (folder: string | undefined) => [
    ...(folder === undefined ? [] : [{ root: folder, path: PROJECT_PATH }]),
    { root: personalFolder, path: '.' },
  ];
  /** A project's skills take precedence over the user's with the same id. */
  const find = async (folder: string | undefined): Promise<{ found: Found[] } | { problem: string }> => {
    const byId = new Map<string, Found>();
    const listed = await Promise.all(places(folder).map(async (place) => ({ place, ids: await foldersIn(place) })));
    for (const { place, ids } of listed) {
      for (const id of ids) {
        if (byId.has(id) || byId.size >= MAX_SKILLS) continue;
        const path = place.path === '.' ? id : `${place.path}/${id}`;
        const read = await readSkill(place.root, path);
        if (read === undefined) continue;
        if ('problem' in read) return { problem: `${join(path, 'SKILL.md')}: ${read.problem}` };
        byId.set(id, { id, ...read, root: place.root, path });
      }
    }
    return { found: [...byId.values()] };
  };
  return {
    async list(folder) {
      const all = await find(folder);
      return 'problem' in all
        ? all
        : { rows: all.found.map(({ id, name, description }) => ({ id, name, description })) };
    },
    async tool(folder) {
      const all = await find(folder);
      if ('problem' in all) ambient.log.warn('skills.not-read', all);
      const enabled = 'problem' in all ? [] : all.found.filter(({ id }) => isEnabled(id));
      return enabled.length === 0 ? undefined : readTool(enabled);
    },
  };
}

async function foldersIn({ root, path }: { root: string; path: string }): Promise<string[]> {
  try {
    const { entries } = await listInside(root, path);
    return entries
      .filter(({ name, isFolder }) => isFolder && declaredId.safeParse(name).success)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof PathError) return [];
    throw error;
  }
}

/** Undefined when the folder contains no SKILL.md. */
async function readSkill(root: string, path: string): Promise<Omit<Skill, 'id'> | { problem: string } | undefined> {
  let text: string;
  try {
    text = (await readFileInside(root, `${path}/SKILL.md`, MAX_BYTES)).bytes.toString('utf8');
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? undefined : { problem: error.problem };
  }
  const matter = /^---\r?\n([\s\S]*?)\r?\n---\s*(\r?\n|$)/.exec(text)?.[1];
  if (matter === undefined) return { problem: 'it does not begin with name and description between two lines of ---' };
  try {
    // In a bundle the whole module is its default export.
    const { default: yaml } = await import('yaml');
    const parsed = front.safeParse(yaml.parse(matter, { maxAliasCount: 0 }));
    return parsed.success ? parsed.data : { problem: parsed.error.issues[0]?.message ?? 'name or description' };
  } catch (error) {
    return { problem: (error as Error).message.split('\n')[0] ?? 'not YAML' };
  }
}

const input = z.strictObject({
  id: z.string().min(1).max(64),
  file: z.string().min(1).max(1_024).optional().describe('a file beside SKILL.md; absent: SKILL.md itself'),
});

function readTool(found: readonly Found[]): Tool<z.infer<typeof input>> {
  const lines = found.map(({ id, description }) => `- ${id}: ${description.slice(0, SHOWN_DESCRIPTION)}`);
  return {
    name: 'skill_read',
    description: [
      'Read a skill: instructions kept for tasks of a kind. Read it before such a task; it may name files beside it. Skills here:',
      ...lines,
    ].join('\n'),
    category: 'extended',
    effect: 'read',
    gate: null,
    input,
    action: ({ id, file }) => ({ tipo: 'skill_read', id, ...(file !== undefined && { file }) }),
    async run({ id, file = 'SKILL.md' }) {
      const skill = found.find((each) => each.id === id);
      if (!skill) {
        return {
          content: `There is no skill ${id}. There are: ${found.map((each) => each.id).join(', ')}.`,
          isError: true,
        };
      }
      return readBeside(skill, file);
    },
  };
}

async function readBeside({ root, path }: Found, file: string): Promise<{ content: string; isError?: boolean }> {
  try {
    const { bytes, realPath } = await readFileInside(root, `${path}/${file}`, MAX_BYTES);
    // Links out of the skill's own folder are not followed.
    if (!realPath.startsWith(`${path}/`)) return { content: `${file} is not in the skill's folder.`, isError: true };
    if (bytes.includes(0)) return { content: `${file} is not text.`, isError: true };
    return { content: bytes.toString('utf8') };
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return { content: `${file} cannot be read: ${error.problem}.`, isError: true };
  }
}
