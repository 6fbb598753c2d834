import { PathError, parseRelativePath } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { isRepo, isRevision } from '../hub/search.ts';
import { isModelId, sumOf } from '../installed/model-folder.ts';
import type { StoredModel } from '../installed/store.ts';
import type { ModelFile } from '../model-record.ts';

/** The user's choice to download, as the window sends it. */
export interface DownloadManifest {
  id: string;
  name?: string | undefined;
  repo: string;
  revision: string;
  files: readonly ModelFile[];
  /** The total of its files. */
  bytes: number;
  /** SHA-256 of the file that an engine opens; if it matches no file, the first one is opened. */
  path: string;
  license: string;
}

const MAX_FILES = 200;
const MAX_TEXT = 160;

/** Validates a manifest. HUB_TRANSFER_INVALID, HUB_PATH_REJECTED. */
export function checkedManifest(manifest: DownloadManifest, updatedAt: string): StoredModel {
  const { id, repo, revision, bytes, license } = manifest;
  if (!isModelId(id)) throw invalid('id');
  if (!isRepo(repo)) throw invalid('repo');
  if (!isRevision(revision)) throw invalid('revision');
  if (license.length > MAX_TEXT) throw invalid('license');
  const name = manifest.name?.trim();
  if (name !== undefined && (name === '' || name.length > MAX_TEXT)) throw invalid('name');
  const files = manifest.files.map(checkedFile);
  if (files.length === 0 || files.length > MAX_FILES) throw invalid('files');
  checkApart(files);
  if (files.reduce((sum, file) => sum + file.bytes, 0) !== bytes) throw invalid('bytes');
  const main = safePath(manifest.path);
  const entry = files.find(({ path }) => path === main) ?? files[0];
  return {
    id,
    ...(name !== undefined && { name }),
    repo,
    revision,
    files,
    bytes,
    license,
    updatedAt,
    sha256: sumOf(files),
    entry: entry?.path ?? main,
    state: 'incomplete',
  };
}

function checkedFile({ path, bytes, sha256 }: ModelFile): ModelFile {
  if (!Number.isSafeInteger(bytes) || bytes <= 0 || !/^[0-9a-f]{64}$/i.test(sha256)) throw invalid('files');
  const safe = safePath(path);
  if (safe.endsWith(PARTIAL_SUFFIX)) throw localModelsError('HUB_PATH_REJECTED');
  return { path: safe, bytes, sha256: sha256.toLowerCase() };
}

/** Extension of an incomplete file. */
export const PARTIAL_SUFFIX = '.partial';

function safePath(path: string): string {
  try {
    const safe = parseRelativePath(path);
    if (safe === path) return safe;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
  }
  throw localModelsError('HUB_PATH_REJECTED');
}

/** On some systems names that differ only in case are the same; no file may be a folder of another. */
function checkApart(files: readonly ModelFile[]): void {
  const names = files.map(({ path }) => path.normalize('NFC').toLowerCase()).sort();
  const isApart = names.every((name, at) => {
    const next = names[at + 1];
    return next === undefined || (next !== name && !names.some((other) => other.startsWith(`${name}/`)));
  });
  if (!isApart) throw localModelsError('HUB_PATH_REJECTED');
}

/** Whether two manifests describe the same bytes. */
export function isSameModel(one: StoredModel, other: StoredModel): boolean {
  const filesOf = ({ files }: StoredModel): string =>
    JSON.stringify(files.map(({ path, sha256 }) => `${path} ${sha256}`).sort());
  return one.repo === other.repo && one.revision === other.revision && filesOf(one) === filesOf(other);
}

function invalid(field: string): Error {
  return localModelsError('HUB_TRANSFER_INVALID', { reason: field });
}
