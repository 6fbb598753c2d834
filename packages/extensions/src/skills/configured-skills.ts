import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listInside, PathError, readFileInside, syncFolder, withFolderInside, writeFileInside } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import type { OwnReference } from '../own/reference.ts';
import type { Switches } from '../own/switches.ts';
import { declaredId } from '../project-file.ts';
import { formatSkill, MAX_SKILL_BYTES, parseSkill, type SkillText } from './skill-file.ts';

/** A skill of the user, for every project, or of a project's folder. */
export interface ConfiguredSkill extends OwnReference {
  /** Empty when it cannot be read. */
  name: string;
  description: string;
  isOn: boolean;
  problem: string | null;
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

export const PROJECT_SKILLS = '.svc/skills';

export function createConfiguredSkills({ personalFolder, switches }: ConfiguredSkillsNeeds): ConfiguredSkills {
  const placeOf = ({ folder }: Pick<OwnReference, 'folder'>): SkillPlace =>
    folder === null ? { root: personalFolder, path: '.' } : { root: folder, path: PROJECT_SKILLS };
  const folderOf = (reference: OwnReference): string => below(placeOf(reference), reference.id);
  const textOf = async (reference: OwnReference): Promise<string | { problem: string } | undefined> => {
    if (!declaredId.safeParse(reference.id).success) return undefined;
    return readText(placeOf(reference).root, folderOf(reference));
  };
  const rowOf = async (reference: OwnReference): Promise<ConfiguredSkill | undefined> => {
    const text = await textOf(reference);
    if (text === undefined) return undefined;
    const read = typeof text === 'string' ? await parseSkill(text) : text;
    const isOn = await switches.isOn(reference);
    const { name, description, problem } =
      'problem' in read ? { name: '', description: '', problem: read.problem } : { ...read, problem: null };
    return { ...reference, name, description, isOn, problem, isReplaced: false };
  };
  const known = async (reference: OwnReference): Promise<ConfiguredSkill> => {
    const row = await rowOf(reference);
    if (!row) throw extensionsError('NOT_FOUND', { reason: 'skill' });
    return row;
  };
  const write = async (reference: OwnReference, text: SkillText, earlier?: string): Promise<void> => {
    const data = await formatSkill(text, earlier);
    if (Buffer.byteLength(data) > MAX_SKILL_BYTES) throw extensionsError('FILE_TOO_LARGE', { reason: 'skill' });
    const parsed = await parseSkill(data);
    if ('problem' in parsed) throw extensionsError('QUERY_INVALID', { reason: 'skill', params: parsed });
    const { root } = placeOf(reference);
    if (reference.folder === null) await mkdir(root, { recursive: true, mode: 0o700 });
    const ifExists = earlier === undefined ? 'fail' : 'replace';
    await inPlace(() =>
      writeFileInside(root, `${folderOf(reference)}/SKILL.md`, { data, createFolders: true, ifExists }),
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
        for (const id of await skillFolders(placeOf(place))) {
          const row = await rowOf({ ...place, id });
          if (row) rows.push({ ...row, isReplaced: rows.some((other) => other.id === id && other.isOn) });
        }
      }
      return rows;
    },
    row: known,
    async read(reference) {
      const text = await textOf(reference);
      if (text === undefined) throw extensionsError('NOT_FOUND', { reason: 'skill' });
      const parsed = typeof text === 'string' ? await parseSkill(text) : text;
      const { root } = placeOf(reference);
      const { entries } = await listInside(root, folderOf(reference));
      const files = entries.map(({ name }) => name).filter((name) => name !== 'SKILL.md');
      if (!('problem' in parsed)) return { ...parsed, files };
      return { name: '', description: '', instructions: typeof text === 'string' ? text : '', files };
    },
    async add(reference, text) {
      if (!declaredId.safeParse(reference.id).success) throw extensionsError('QUERY_INVALID', { reason: 'skill-id' });
      await write(reference, text);
    },
    async change(reference, text) {
      const earlier = await textOf(reference);
      if (earlier === undefined) throw extensionsError('NOT_FOUND', { reason: 'skill' });
      await write(reference, text, typeof earlier === 'string' ? earlier : '');
    },
    async remove(reference) {
      await known(reference);
      const { root, path } = placeOf(reference);
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
