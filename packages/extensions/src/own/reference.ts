import { createHash } from 'node:crypto';

/** Added by the user for every project or for one, or declared by a file of the project. */
export type Scope = 'everywhere' | 'project' | 'file';
export type OwnScope = Exclude<Scope, 'file'>;

/** Which extension of a kind is meant. */
export interface Reference {
  scope: Scope;
  /** The project: absolute and real; null for `everywhere`. */
  folder: string | null;
  id: string;
}

export type OwnReference = Reference & { scope: OwnScope };

/** A project as a file name. */
export function placeName(folder: string | null): string {
  return folder === null ? 'everywhere' : createHash('sha256').update(folder).digest('hex').slice(0, 32);
}
