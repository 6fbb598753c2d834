import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  listInside,
  PathError,
  readFileInside,
  statInside,
  syncFolder,
  withFolderInside,
  writeFileInside,
} from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import type { OwnReference } from '../own/reference.ts';
import type { Switches } from '../own/switches.ts';
import { declaredId, mayExist } from '../project-file.ts';
import { formatSkill, MAX_SKILL_BYTES, parseSkill, type SkillText } from './skill-file.ts';

/** A skill of the user, for every project, or of a project's folder. */
export interface ConfiguredSkill extends OwnReference {
  /** Empty when it cannot be read. */
  name: string;
  description: string;
  isOn: boolean;
  problem: string | null;
  /** Its SKILL.md, relative to the project; null for one of the user. */
  file: string | null;
  /** The project's skill with this id is used in its place. */
  isReplaced: boolean;
}

export interface SkillDetails extends SkillText {
  /** Names beside SKILL.md, which are removed with it. */
  files: readonly string[];
}

/** Skills as the user sees and writes them. */
export interface ConfiguredSkills {
  /** Of a project, and of the user. */
  list(folder: string | undefined): Promise<ConfiguredSkill[]>;
  /** NOT_FOUND. */
  row(reference: OwnReference): Promise<ConfiguredSkill>;
  /** NOT_FOUND. One that cannot be parsed has its whole text as instructions. */
  read(reference: OwnReference): Promise<SkillDetails>;
  /** Writes SKILL.md. FILE_EXISTS, FILE_TOO_LARGE, QUERY_INVALID, WORKSPACE_NOT_AVAILABLE. */
  add(reference: OwnReference, text: SkillText): Promise<void>;
  /** Keeps what else its head says. NOT_FOUND, FILE_TOO_LARGE, QUERY_INVALID, WORKSPACE_NOT_AVAILABLE. */
  change(reference: OwnReference, text: SkillText): Promise<void>;
  /** Removes its folder. NOT_FOUND, WORKSPACE_NOT_AVAILABLE. */
  remove(reference: OwnReference): Promise<void>;
  /** NOT_FOUND. */
  turn(reference: OwnReference, isOn: boolean): Promise<void>;
}

export interface ConfiguredSkillsNeeds {
  /** The user's own skills: a folder each. */
  personalFolder: string;
  switches: Switches;
}

/** Where the skills of a scope are: below a folder that exists. */
interface SkillPlace {
  root: string;
  /** Below the root; `.` is the root. */
  path: string;
}

interface FoundSkill {
  place: SkillPlace;
  text: string | { problem: string };
}

/** Skills of a project, by precedence: its own, and those for other tools. */
export const PROJECT_SKILLS = ['.svc/skills', '.claude/skills', '.agents/skills'] as const;

export function createConfiguredSkills({ personalFolder, switches }: ConfiguredSkillsNeeds): ConfiguredSkills {
  const placesOf = ({ folder }: Pick<OwnReference, 'folder'>): SkillPlace[] =>
    folder === null ? [{ root: personalFolder, path: '.' }] : PROJECT_SKILLS.map((path) => ({ root: folder, path }));
  /** The first place that contains it. */
  const find = async (reference: OwnReference): Promise<FoundSkill | undefined> => {
    if (!declaredId.safeParse(reference.id).success) return undefined;
    for (const place of placesOf(reference)) {
      const text = await readText(place.root, below(place, reference.id));
      if (text !== undefined) return { place, text };
    }
    return undefined;
  };
  const existing = async (reference: OwnReference): Promise<FoundSkill> => {
    const found = await find(reference);
    if (!found) throw extensionsError('NOT_FOUND', { reason: 'skill' });
    return found;
  };
  const rowOf = async (reference: OwnReference): Promise<ConfiguredSkill | undefined> => {
    const found = await find(reference);
    if (!found) return undefined;
    const { place, text } = found;
    const read = typeof text === 'string' ? await parseSkill(text) : text;
    const isOn = await switches.isOn(reference);
    const { name, description, problem } =
      'problem' in read ? { name: '', description: '', problem: read.problem } : { ...read, problem: null };
    const file = reference.folder === null ? null : `${below(place, reference.id)}/SKILL.md`;
    return { ...reference, name, description, isOn, problem, file, isReplaced: false };
  };
  const known = async (reference: OwnReference): Promise<ConfiguredSkill> => {
    const row = await rowOf(reference);
    if (!row) throw extensionsError('NOT_FOUND', { reason: 'skill' });
    return row;
  };
  const write = async (reference: OwnReference, text: SkillText, found?: FoundSkill): Promise<void> => {
    const earlier = found && (typeof found.text === 'string' ? found.text : '');
    const data = await formatSkill(text, earlier);
    if (Buffer.byteLength(data) > MAX_SKILL_BYTES) throw extensionsError('FILE_TOO_LARGE', { reason: 'skill' });
    const parsed = await parseSkill(data);
    if ('problem' in parsed) throw extensionsError('QUERY_INVALID', { reason: 'skill', params: parsed });
    const place = found?.place ?? placesOf(reference)[0];
    if (!place) throw extensionsError('NOT_FOUND', { reason: 'skill' });
    const { root } = place;
    if (reference.folder === null) await mkdir(root, { recursive: true, mode: 0o700 });
    const ifExists = earlier === undefined ? 'fail' : 'replace';
    await inPlace(() =>
      writeFileInside(root, `${below(place, reference.id)}/SKILL.md`, { data, createFolders: true, ifExists }),
    );
  };

  return {
    async list(folder) {
      const places: Omit<OwnReference, 'id'>[] = [
        ...(folder === undefined ? [] : [{ scope: 'project' as const, folder }]),
        { scope: 'everywhere', folder: null },
      ];
      const rows: ConfiguredSkill[] = [];
      for (const place of places) {
        const ids = await Promise.all(placesOf(place).map(skillFolders));
        for (const id of new Set(ids.flat())) {
          const row = await rowOf({ ...place, id });
          if (row) rows.push({ ...row, isReplaced: rows.some((other) => other.id === id && other.isOn) });
        }
      }
      return rows;
    },
    row: known,
    async read(reference) {
      const { place, text } = await existing(reference);
      const parsed = typeof text === 'string' ? await parseSkill(text) : text;
      const { entries } = await listInside(place.root, below(place, reference.id));
      const files = entries.map(({ name }) => name).filter((name) => name !== 'SKILL.md');
      if (!('problem' in parsed)) return { ...parsed, files };
      return { name: '', description: '', instructions: typeof text === 'string' ? text : '', files };
    },
    async add(reference, text) {
      if (!declaredId.safeParse(reference.id).success) throw extensionsError('QUERY_INVALID', { reason: 'skill-id' });
      await write(reference, text);
    },
    async change(reference, text) {
      await write(reference, text, await existing(reference));
    },
    async remove(reference) {
      const { root, path } = (await existing(reference)).place;
      await inPlace(() =>
        withFolderInside(root, path, async (folder) => {
          const own = join(folder, reference.id);
          // Of a link only the link.
          const isLink = (await lstat(own)).isSymbolicLink();
          await rm(own, { recursive: !isLink, force: true });
          await syncFolder(folder);
        }),
      );
      await switches.turn(reference, true);
    },
    async turn(reference, isOn) {
      await known(reference);
      await switches.turn(reference, isOn);
    },
  };
}

/** The ids of those that a place may contain, sorted. */
export async function skillFolders({ root, path }: SkillPlace): Promise<string[]> {
  if (!mayExist(root, path)) return [];
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

/** The text of SKILL.md; undefined when the folder contains none. */
export async function readText(root: string, path: string): Promise<string | { problem: string } | undefined> {
  try {
    return (await readFileInside(root, `${path}/SKILL.md`, MAX_SKILL_BYTES)).bytes.toString('utf8');
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? undefined : { problem: error.problem };
  }
}

/** Its folder without links: `.claude/skills/x` is often a link to `.agents/skills/x`. */
export async function realSkillFolder(root: string, path: string): Promise<string> {
  try {
    return (await statInside(root, path)).realPath;
  } catch (error) {
    if (error instanceof PathError) return path;
    throw error;
  }
}

export function below({ path }: SkillPlace, id: string): string {
  return path === '.' ? id : `${path}/${id}`;
}

async function inPlace<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    if (error.problem === 'exists') throw extensionsError('FILE_EXISTS', { reason: 'skill', cause: error });
    throw extensionsError('WORKSPACE_NOT_AVAILABLE', {
      reason: 'skill',
      params: { problem: error.problem },
      cause: error,
    });
  }
}
