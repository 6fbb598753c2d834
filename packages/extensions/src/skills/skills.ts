import { join } from 'node:path';
import { type Ambient, PathError, readFileInside, type Tool, textStart } from '@fucina/shared';
import * as z from 'zod';
import type { RowsOrProblem } from '../hooks/hooks.ts';
import type { Switches } from '../own/switches.ts';
import { firstOfEach } from '../project-file.ts';
import { below, PROJECT_SKILLS, readText, realSkillFolder, skillFolders } from './configured-skills.ts';
import { MAX_SKILL_BYTES, parseSkill } from './skill-file.ts';

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
  switches: Switches;
  isEnabled(id: string): boolean;
}

const MAX_SKILLS = 200;
const SHOWN_DESCRIPTION = 300;

/** Location of a skill: a root, and the folder below it. */
interface Found extends Skill {
  scope: 'everywhere' | 'project';
  root: string;
  path: string;
}

interface Unreadable {
  id: string;
  scope: 'everywhere' | 'project';
  problem: string;
}

export function createSkills({ ambient, personalFolder, switches, isEnabled }: SkillsNeeds): Skills {
  const places = (folder: string | undefined) => [
    ...(folder === undefined
      ? []
      : PROJECT_SKILLS.map((path, at) => ({ scope: 'project' as const, root: folder, path, isForeign: at > 0 }))),
    { scope: 'everywhere' as const, root: personalFolder, path: '.', isForeign: false },
  ];
  /** A project's skills come first: they take precedence over the user's with the same id. */
  const find = async (folder: string | undefined): Promise<(Found | Unreadable)[]> => {
    const all: (Found | Unreadable)[] = [];
    const isUsed = (id: string): boolean => all.some((other) => other.id === id && other.scope === 'project');
    const listed = await Promise.all(places(folder).map(async (place) => ({ place, ids: await skillFolders(place) })));
    for (const { place, ids } of listed) {
      for (const id of ids.slice(0, MAX_SKILLS)) {
        if (all.length >= MAX_SKILLS) break;
        if (place.isForeign && isUsed(id)) continue;
        const path = below(place, id);
        const text = await readText(place.root, path);
        if (text === undefined) continue;
        const read = typeof text === 'string' ? await parseSkill(text) : text;
        // One that was written for another tool must not turn off the others.
        if ('problem' in read && place.isForeign) ambient.log.warn('skills.skipped', { id, problem: read.problem });
        else if ('problem' in read) {
          all.push({ id, scope: place.scope, problem: `${join(path, 'SKILL.md')}: ${read.problem}` });
        } else {
          const { scope, root } = place;
          const realPath = await realSkillFolder(root, path);
          all.push({ id, name: read.name, description: read.description, scope, root, path: realPath });
        }
      }
    }
    return all;
  };
  return {
    async list(folder) {
      const read = readable(await find(folder));
      if ('problem' in read) return read;
      return { rows: read.found.map(({ id, name, description }) => ({ id, name, description })) };
    },
    async tool(folder) {
      const all = await find(folder);
      const states = await Promise.all(
        all.map(({ scope, id }) => switches.isOn({ scope, folder: scope === 'project' ? (folder ?? null) : null, id })),
      );
      const read = readable(all.filter((_skill, at) => states[at]));
      if ('problem' in read) ambient.log.warn('skills.not-read', read);
      const enabled = 'problem' in read ? [] : read.found.filter(({ id }) => isEnabled(id));
      return enabled.length === 0 ? undefined : readTool(enabled);
    },
  };
}

/** The first of each id; all or none, so that a missing skill is noticed. */
function readable(all: readonly (Found | Unreadable)[]): { found: Found[] } | { problem: string } {
  const first = firstOfEach(all);
  const broken = first.find((skill) => 'problem' in skill);
  return broken ? { problem: broken.problem } : { found: first.filter((skill): skill is Found => 'root' in skill) };
}

const input = z.strictObject({
  id: z.string().min(1).max(64),
  file: z.string().min(1).max(1_024).optional().describe('a file beside SKILL.md; absent: SKILL.md itself'),
});

function readTool(found: readonly Found[]): Tool<z.infer<typeof input>> {
  const lines = found.map(({ id, description }) => `- ${id}: ${textStart(description, SHOWN_DESCRIPTION)}`);
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
    const { bytes, realPath } = await readFileInside(root, `${path}/${file}`, MAX_SKILL_BYTES);
    // Links out of the skill's own folder are not followed.
    if (!realPath.startsWith(`${path}/`)) return { content: `${file} is not in the skill's folder.`, isError: true };
    if (bytes.includes(0)) return { content: `${file} is not text.`, isError: true };
    return { content: bytes.toString('utf8') };
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return { content: `${file} cannot be read: ${error.problem}.`, isError: true };
  }
}
