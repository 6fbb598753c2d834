import type { Files } from '@fucina/files';
import type { Sessions } from '@fucina/sessions';

/** A project by one of its sessions or by its folder (absolute); neither: all projects. */
export interface Place {
  sessionId?: string | undefined;
  path?: string | undefined;
}

export interface PlaceNeeds {
  sessions(): Pick<Sessions, 'folderOf'>;
  files(): Files;
}

/** Absolute and real. NOT_FOUND for an unknown session, WORKSPACE_NOT_AVAILABLE for an unusable folder. */
export async function folderOfPlace(
  { sessions, files }: PlaceNeeds,
  { sessionId, path }: Place,
): Promise<string | undefined> {
  if (sessionId !== undefined) return sessions().folderOf(sessionId);
  return path === undefined ? undefined : (await files().workspace.chooseFolder({ path })).folder;
}
