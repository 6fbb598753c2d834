import { listInside, moveInside, PathError, removeInside, writeFileInside } from '@fucina/shared';

/** What this application keeps inside a project, a folder for each thing: `.svc/library/<id>`, `.svc/research/<id>`. */

const ID = /^[\w-]{1,64}$/;
const MOST = 100_000;

export const isOwnId = (id: string): boolean => ID.test(id);

export function isAbsent(error: unknown): boolean {
  return error instanceof PathError && (error.problem === 'missing' || error.problem === 'not-a-folder');
}

/** The ids of all there are; no folder is none. Throws PathError. */
export async function ownIds(project: string, folder: string): Promise<string[]> {
  try {
    const { entries } = await listInside(project, folder, MOST);
    return entries.filter(({ name, kind }) => kind === 'folder' && isOwnId(name)).map(({ name }) => name);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** What is kept here is the user's, not their repository's. The folder has to be there. Throws PathError. */
export async function keepOutOfGit(project: string, folder: string): Promise<void> {
  try {
    await writeFileInside(project, `${folder}/.gitignore`, { data: '*\n', ifExists: 'fail' });
  } catch (error) {
    if (!(error instanceof PathError && error.problem === 'exists')) throw error;
  }
}

/** Gone at once for whoever looks: taken out of sight before it is emptied. Throws PathError. */
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
