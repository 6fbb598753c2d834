import { Text } from '@codemirror/state';
import { ApiError } from '@fucina/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../../wire/client.ts';
import { diagnoseText } from '../../../wire/language.ts';
import { MAX_DOWNLOAD_BYTES, readFilePiece } from '../pieces.ts';
import { lineSeparatorOf, newState } from './editor-setup.ts';
import { type Buffer, endEdit, isDirty, noteSave, setBuffer, useEdit } from './edits.ts';

/** The version of a file on the disk. */
interface DiskText {
  /** Null: the file is gone. */
  hash: string | null;
  /** Undefined: not UTF-8. */
  text: string | undefined;
}

export interface Editing {
  buffer: Buffer | undefined;
  /** Why the text could not be read. */
  error: unknown;
  retry(): void;
  isNotText: boolean;
  isDirty: boolean;
  /** The file changed on the disk while the text has changes of its own. */
  conflict: DiskText | undefined;
  onState(state: Buffer['state']): void;
  save(): void;
  isSaving: boolean;
  saveError: unknown;
  /** Drops the own changes for the version on the disk. */
  takeDisk(): void;
  /** The next save replaces the version on the disk. */
  keepMine(): void;
  close(): void;
}

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((bytes) => bytes.toString(16).padStart(2, '0')).join('');

async function readText(sessionId: string, path: string, signal: AbortSignal): Promise<DiskText> {
  try {
    const range = { from: 0, to: MAX_DOWNLOAD_BYTES };
    const { bytes } = await readFilePiece({ sessionId, path }, range, signal);
    const hash = hex(await crypto.subtle.digest('SHA-256', bytes));
    return { hash, text: decoded(bytes) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FILE_NOT_FOUND') return { hash: null, text: '' };
    throw error;
  }
}

/** Exactly, with its byte order mark. */
function decoded(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const textOf = (text: string): Text => Text.of(text.split(lineSeparatorOf(text)));
/** Shown as a conflict instead. */
const isConflict = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'FILE_NOT_FOUND' || (error.code === 'FILE_EXISTS' && error.body?.reason === 'changed'));

/** Editing one file: reads it, follows it on the disk, and saves it only over the version that was read. */
export function useEditing(sessionId: string, path: string): Editing {
  const client = useQueryClient();
  const edit = useEdit(sessionId, path);
  const buffer = edit?.buffer;
  const saving = useRef<() => void>(() => undefined);
  const query = useQuery({
    queryKey: ['file', sessionId, path, 'text'],
    queryFn: ({ signal }) => readText(sessionId, path, signal),
    gcTime: 0,
  });
  const disk = query.data;
  const put = (next: Buffer) => setBuffer(sessionId, path, next);
  const load = ({ hash, text }: DiskText) => {
    if (text === undefined) return;
    const actions = {
      save: () => saving.current(),
      diagnose: (now: string) => diagnoseText(sessionId, { path, text: now }),
    };
    put({ state: newState(path, text, actions), saved: textOf(text), hash });
  };
  const isNew = disk !== undefined && edit !== undefined && buffer === undefined;
  const isOther = disk !== undefined && buffer !== undefined && disk.hash !== buffer.hash;
  const hasChanges = edit !== undefined && isDirty(edit);
  const isSame = isOther && disk.text !== undefined && buffer.state.doc.eq(textOf(disk.text));
  const loading = useRef(load);
  loading.current = load;
  useEffect(() => {
    if (disk && (isNew || (isOther && !hasChanges))) loading.current(disk);
  }, [disk, isNew, isOther, hasChanges]);

  const write = async ({ state, hash }: Buffer): Promise<void> => {
    const content = state.sliceDoc();
    const answer = await api.post('/ext/sessions/{sessionId}/files', {
      path: { sessionId },
      body: {
        path,
        content,
        fingerprint: hash,
      },
    });
    const current = latest.current;
    if (current) put({ state: current.state, saved: state.doc, hash: answer.fingerprint });
    client.setQueryData(['file', sessionId, path, 'text'], { hash: answer.fingerprint, text: content });
  };
  const save = useMutation({
    mutationFn: async () => {
      if (!buffer) return;
      const writing = write(buffer);
      noteSave(sessionId, path, writing);
      await writing;
    },
    // Also shows a change on the disk that made it fail.
    onSettled: () => client.invalidateQueries({ queryKey: ['file', sessionId, path] }),
  });
  const latest = useRef(buffer);
  latest.current = buffer;
  saving.current = () => {
    if (!save.isPending) save.mutate();
  };

  return {
    buffer,
    error: buffer ? undefined : query.error,
    retry: () => void query.refetch(),
    isNotText: disk !== undefined && disk.text === undefined && buffer === undefined,
    isDirty: hasChanges,
    conflict: isOther && hasChanges && !isSame && !save.isPending ? disk : undefined,
    onState: (state) => {
      if (latest.current) put({ ...latest.current, state });
    },
    save: () => saving.current(),
    isSaving: save.isPending,
    saveError: isConflict(save.error) ? undefined : save.error,
    takeDisk: () => disk && load(disk),
    keepMine: () => disk && buffer && put({ ...buffer, hash: disk.hash }),
    close: () => endEdit(sessionId, path),
  };
}
