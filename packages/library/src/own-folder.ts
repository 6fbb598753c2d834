import { listInside, moveInside, PathError, removeInside, writeFileInside } from '@fucina/shared';

/** The application's data inside a project, one folder per item: `.svc/library/<id>`, `.svc/research/<id>`. */

/** The name of an item's folder. */
export const OWN_ID = /^[\w-]{1,64}$/;
const MOST = 100_000;

export const isOwnId = (id: string): boolean => OWN_ID.test(id);

export function isAbsent(error: unknown): boolean {
  return error instanceof PathError && (error.problem === 'missing' || error.problem === 'not-a-folder');
}

/** All ids; empty when the folder is missing. Throws PathError. */
export async function ownIds(project: string, folder: string): Promise<string[]> {
  try {
    const { entries } = await listInside(project, folder, MOST);
    return entries.filter(({ name, kind }) => kind === 'folder' && isOwnId(name)).map(({ name }) => name);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/**
 * Excludes the folder from the user's repository, because the data is the user's own. The folder must exist. Throws
 * PathError.
 */
export async function keepOutOfGit(project: string, folder: string): Promise<void> {
  try {
    await writeFileInside(project, `${folder}/.gitignore`, { data: '*\n', ifExists: 'fail' });
  } catch (error) {
    if (!(error instanceof PathError && error.problem === 'exists')) throw error;
  }
}

/** Disappears at once for readers: it is renamed before it is emptied. Throws PathError. */
export async function removeOwn(project: string, folder: string, id: string): Promise<void> {
  const aside = `${folder}/.gone-${id}`;
  try {
    await removeInside(project, aside);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  await moveInside(project, `${folder}/${id}`, aside);
  await removeInside(project, aside);
}
