import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isAppError, systemCode } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import type { ModelHeader } from '../fit/header.ts';
import type { Machine } from '../fit/machine.ts';
import { memoryNeeds, totalBytes } from '../fit/memory-needs.ts';
import type { FindLibrary } from '../library/engine-library.ts';
import type { InstalledModels, ModelRecord } from '../model-record.ts';

/** Why our engine cannot be started; null when it can. */
export type EngineAbsence = 'program-missing' | 'program-unusable' | 'library-missing' | null;

export interface EnginePlace {
  /** Path of an engine that the user installed; default: ours. */
  program: string | undefined;
  library: FindLibrary;
}

/** A configured program that is missing is never silently replaced by ours. */
export async function engineAbsence({ program, library }: EnginePlace): Promise<EngineAbsence> {
  if (program === undefined) return library() ? null : 'library-missing';
  if (!isAbsolute(program)) return 'program-unusable';
  try {
    if (!(await stat(program)).isFile()) return 'program-unusable';
    await access(program, constants.X_OK);
    return null;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? 'program-missing' : 'program-unusable';
  }
}

/** MODEL_NOT_FOUND, MODEL_NOT_READY. */
export async function readyModel(installed: InstalledModels, modelId: string): Promise<ModelRecord> {
  const record = await installed.find(modelId);
  if (!record) throw localModelsError('MODEL_NOT_FOUND');
  if (record.state !== 'ready') throw localModelsError('MODEL_NOT_READY', { reason: record.state });
  return record;
}

/** MODEL_FILE_UNREADABLE also for an invalid header: the caller need not distinguish them. */
export async function loadableHeader(
  read: (record: ModelRecord) => Promise<ModelHeader>,
  record: ModelRecord,
): Promise<ModelHeader> {
  try {
    return await read(record);
  } catch (cause) {
    if (!isAppError(cause, 'MODEL_HEADER_UNREADABLE', 'MODEL_HEADER_INVALID')) throw cause;
    throw localModelsError('MODEL_FILE_UNREADABLE', { reason: 'header', cause });
  }
}

const LADDER = [65_536, 32_768, 16_384, 8_192, 4_096];

/** As large as the model supports and the memory allows; QUERY_INVALID above the size that it was trained on. */
export async function contextFor(
  machine: Machine,
  { record, header, asked }: { record: ModelRecord; header: ModelHeader; asked: number | undefined },
): Promise<number> {
  const { trainedTokens } = header;
  if (asked !== undefined) {
    if (asked <= trainedTokens) return asked;
    throw localModelsError('QUERY_INVALID', { reason: 'context-too-long', params: { trainedTokens } });
  }
  const { availableBytes } = await machine.memory();
  const fits = LADDER.find((tokens) => {
    const needs = memoryNeeds(header, record.bytes, tokens);
    return tokens <= trainedTokens && needs !== null && totalBytes(needs) <= availableBytes;
  });
  return Math.min(trainedTokens, fits ?? LADDER.at(-1) ?? trainedTokens);
}
