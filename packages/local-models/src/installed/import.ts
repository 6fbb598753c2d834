import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { type Ambient, accepted, isPortableName, parseFileName, syncFolder, systemCode } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { createFileSink, type FileSink, isModelId, type ModelFolders } from './model-folder.ts';
import type { Store, StoredModel } from './store.ts';

/** A model file imported from outside. Texts as they were sent, not validated. */
export interface ImportRequest {
  id: string | undefined;
  /** File name: `*.gguf`, without folders. */
  fileName: string | undefined;
  /** Digits: the number of bytes that follow. */
  bytes: string | undefined;
  name: string | undefined;
  /** Read once, to the end or to the first failure; its errors are rethrown. */
  content: AsyncIterable<Uint8Array>;
}

export const MAX_IMPORT_BYTES = 64 * 1_073_741_824;
const MAX_FILE_NAME = 240;
const MAX_NAME = 160;
const MAGIC = Buffer.from('GGUF');

interface ImportParts {
  ambient: Ambient;
  store: Store;
  folders: ModelFolders;
}

type Checked = ReturnType<typeof checkedImport>;

/** Stores the file and its record, or neither. */
export async function importModel(request: ImportRequest, parts: ImportParts): Promise<StoredModel> {
  const { ambient, store, folders } = parts;
  const wanted = checkedImport(request);
  const room = await folders.roomBytes();
  if (wanted.bytes > room) throw localModelsError('LOCAL_IMPORT_TOO_LARGE', { reason: 'disk-full' });
  await store.write(() => {
    if (store.model(wanted.id)) throw localModelsError('HUB_TRANSFER_COLLISION', { params: { modelId: wanted.id } });
    store.saveModel(draftOf(wanted, ambient));
  });
  try {
    const sha256 = await takeFile(request.content, wanted, folders);
    const made: StoredModel = {
      ...draftOf(wanted, ambient),
      revision: sha256,
      files: [{ path: wanted.fileName, bytes: wanted.bytes, sha256 }],
      sha256,
      state: 'ready',
    };
    await store.write(() => store.saveModel(made));
    return made;
  } catch (error) {
    await folders.remove(wanted.id);
    await store.write(() => store.removeModel(wanted.id));
    if (systemCode(error) === 'ENOSPC')
      throw localModelsError('LOCAL_IMPORT_TOO_LARGE', { reason: 'disk-full', cause: error });
    throw error;
  }
}

function checkedImport({ id, fileName, bytes, name }: ImportRequest) {
  if (id === undefined || !isModelId(id)) throw invalid('id');
  if (fileName === undefined || !isGgufName(fileName)) throw invalid('file-name');
  if (bytes === undefined || !/^\d{1,15}$/.test(bytes)) throw invalid('bytes');
  const shown = name?.trim();
  if (shown !== undefined && (shown === '' || shown.length > MAX_NAME)) throw invalid('name');
  if (Number(bytes) === 0) throw localModelsError('LOCAL_IMPORT_EMPTY');
  if (Number(bytes) > MAX_IMPORT_BYTES) throw localModelsError('LOCAL_IMPORT_TOO_LARGE');
  return { id, fileName, bytes: Number(bytes), ...(shown !== undefined && { name: shown }) };
}

function isGgufName(fileName: string): boolean {
  if (fileName.length > MAX_FILE_NAME || !/.\.gguf$/i.test(fileName)) return false;
  return accepted(parseFileName, fileName) === fileName && isPortableName(fileName);
}

function draftOf({ id, fileName, bytes, name }: Checked, ambient: Ambient): StoredModel {
  return {
    id,
    ...(name !== undefined && { name }),
    repo: 'local-upload',
    revision: '',
    files: [],
    bytes,
    sha256: '',
    license: 'unknown',
    entry: fileName,
    state: 'unfinished',
    updatedAt: new Date(ambient.now()).toISOString(),
  };
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Answers the SHA-256 of what came. */
async function takeFile(content: AsyncIterable<Uint8Array>, wanted: Checked, folders: ModelFolders): Promise<string> {
  // Left over from an import that failed to clean up.
  await folders.remove(wanted.id);
  await folders.prepare(wanted.id);
  const file = folders.fileOf(wanted.id, wanted.fileName);
  const handle = await open(`${file}.partial`, NEW_FILE, 0o600);
  const hash = createHash('sha256');
  try {
    const sink = createFileSink({ handle, hash, roomBytes: () => folders.roomBytes() });
    await copyChecked(content, sink, wanted.bytes);
  } finally {
    await handle.close();
  }
  await rename(`${file}.partial`, file);
  await syncFolder(folders.folderOf(wanted.id));
  return hash.digest('hex');
}

async function copyChecked(content: AsyncIterable<Uint8Array>, sink: FileSink, bytes: number): Promise<void> {
  const head = createMagicCheck();
  for await (const chunk of content) {
    if (sink.bytes + chunk.length > bytes) throw localModelsError('LOCAL_IMPORT_SIZE_MISMATCH');
    head.see(chunk);
    await sink.write(chunk);
  }
  if (sink.bytes === 0) throw localModelsError('LOCAL_IMPORT_EMPTY');
  if (sink.bytes !== bytes) throw localModelsError('LOCAL_IMPORT_SIZE_MISMATCH');
  head.end();
  await sink.finish();
}

/** The first four bytes, however they are split into chunks. */
function createMagicCheck(): { see(chunk: Uint8Array): void; end(): void } {
  let seen = 0;
  return {
    see(chunk) {
      for (let at = 0; seen < MAGIC.length && at < chunk.length; at++, seen++) {
        if (chunk[at] !== MAGIC[seen]) throw localModelsError('LOCAL_IMPORT_NOT_GGUF');
      }
    },
    end() {
      if (seen < MAGIC.length) throw localModelsError('LOCAL_IMPORT_NOT_GGUF');
    },
  };
}

function invalid(reason: string): Error {
  return localModelsError('LOCAL_IMPORT_INVALID', { reason });
}
