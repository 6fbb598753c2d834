import type { Files } from '@fucina/files';
import type { SessionResolver } from './session-resolver.ts';

/** A project by one of its sessions or by its folder (absolute); neither: all projects. */
export interface Place {
  sessionId?: string | undefined;
  path?: string | undefined;
}

export interface PlaceNeeds {
  resolver: SessionResolver;
  files(): Files;
}

/** Absolute and real. NOT_FOUND for an unknown session, WORKSPACE_NOT_AVAILABLE for an unusable folder. */
export async function folderOfPlace(
  { resolver, files }: PlaceNeeds,
  { sessionId, path }: Place,
): Promise<string | undefined> {
  if (sessionId !== undefined) return (await resolver.resolve(sessionId)).folder;
  return path === undefined ? undefined : (await files().workspace.chooseFolder({ path })).folder;
}
