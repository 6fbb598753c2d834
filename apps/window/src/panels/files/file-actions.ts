import { ApiError } from '@fucina/client';
import { isPortableName } from '@fucina/shared/portable-name';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { openOverlay } from '../../shell/overlay-state.ts';
import { api } from '../../wire/client.ts';
import { useWords } from '../../words/words.ts';
import { childOf, nameOf, parentOf } from './paths.ts';
import { saveFile } from './save-file.ts';
import type { OpenFileActions } from './use-open-files.ts';

export interface Notice {
  text?: string;
  /** A file that can be shown in the file manager. */
  place?: string;
  error?: unknown;
}

/** Copied or cut entry, to be pasted. */
export interface Clip {
  path: string;
  isCut: boolean;
}

export interface FileActions {
  /** Result of the last action, if worth showing. */
  notice: Notice | undefined;
  dismiss(): void;
  isBusy: boolean;
  clip: Clip | undefined;
  take(path: string, isCut: boolean): void;
  paste(folder: string): void;
  create(folder: string, name: string, kind: 'file' | 'folder'): void;
  rename(path: string, name: string): void;
  move(path: string, folder: string): void;
  duplicate(path: string): void;
  remove(path: string): void;
  reveal(path: string): void;
  openOutside(path: string): void;
  upload(files: readonly File[], folder: string): void;
  copyPath(path: string): void;
  /** Downloads it. */
  save(path: string): void;
  tell(text: string): void;
}

/** Sessions in which a deletion went to the trash: later ones need no confirmation. */
const hasBin = new Set<string>();

interface ActsNeeds {
  sessionId: string;
  files: OpenFileActions;
  /** Called with the path of a created, moved or renamed entry, and its previous path. */
  onMade(path: string, from?: string): void;
  onGone(path: string): void;
}

export function useFileActions({ sessionId, files, onMade, onGone }: ActsNeeds): FileActions {
  const { say } = useWords();
  const client = useQueryClient();
  const [notice, setNotice] = useState<Notice>();
  const [clip, setClip] = useState<Clip>();
  const [isBusy, setIsBusy] = useState(false);
  return useMemo(() => {
    const session = { sessionId };
    const run = async (act: () => Promise<string | Notice | undefined>) => {
      setIsBusy(true);
      try {
        const outcome = await act();
        setNotice(typeof outcome === 'string' ? { text: outcome } : outcome);
      } catch (error) {
        setNotice({ error });
      }
      setIsBusy(false);
      await client.invalidateQueries({ queryKey: ['tree', 'sessions', sessionId] });
    };
    /** A new name that the colleagues on another system cannot check out. */
    const warning = (name: string): string | undefined =>
      isPortableName(name) ? undefined : say('files.notOnWindows', { name });
    const placed = (from: string, to: string) => {
      files.moved(from, to);
      onMade(to, from);
    };
    const move = async (path: string, targetFolder: string) => {
      const { newPath } = await api.post('/sessions/{sessionId}/tree/move', {
        path: session,
        body: { path, targetFolder },
      });
      return newPath;
    };
    const copy = async (path: string) =>
      (await api.post('/sessions/{sessionId}/tree/copy', { path: session, body: { path } })).newPath;
    const erase = async (path: string) => {
      const { trash } = await api.post('/sessions/{sessionId}/tree/delete', {
        path: session,
        body: { path },
      });
      if (trash) hasBin.add(sessionId);
      else hasBin.delete(sessionId);
      files.gone(path);
      onGone(path);
      return say(trash ? 'files.inBin' : 'files.goneForGood', { name: nameOf(path) });
    };
    return {
      notice,
      dismiss: () => setNotice(undefined),
      isBusy,
      clip,
      take: (path, isCut) => {
        setClip({ path, isCut });
        setNotice({ text: say(isCut ? 'files.cut' : 'files.copied', { name: nameOf(path) }) });
      },
      paste(folder) {
        if (!clip) return;
        void run(async () => {
          if (clip.isCut) {
            placed(clip.path, await move(clip.path, folder));
            setClip(undefined);
          } else onMade(await copyTo(clip.path, folder, { copy, move, session }));
          return undefined;
        });
      },
      create: (folder, name, kind) =>
        void run(async () => {
          const { path } = await api.post('/sessions/{sessionId}/tree/create', {
            path: session,
            body: { parentPath: folder, name, kind },
          });
          onMade(path);
          return warning(name);
        }),
      rename: (path, newName) =>
        void run(async () => {
          placed(
            path,
            (await api.post('/sessions/{sessionId}/tree/rename', { path: session, body: { path, newName } })).newPath,
          );
          return warning(newName);
        }),
      move: (path, folder) =>
        void run(async () => {
          if (parentOf(path) !== folder) placed(path, await move(path, folder));
          return undefined;
        }),
      duplicate: (path) =>
        void run(async () => {
          onMade(await copy(path));
          return undefined;
        }),
      remove(path) {
        if (hasBin.has(sessionId)) return void run(() => erase(path));
        openOverlay({
          kind: 'confirm',
          title: say('files.delete.ask', { name: nameOf(path) }),
          text: say('files.delete.why'),
          act: say('act.delete'),
          isDangerous: true,
          run: async () => {
            const text = await erase(path);
            setNotice({ text });
            await client.invalidateQueries({ queryKey: ['tree', 'sessions', sessionId] });
          },
        });
      },
      reveal: (path) =>
        void run(async () => {
          await api.post('/sessions/{sessionId}/tree/reveal', { path: session, body: { path } });
          return undefined;
        }),
      openOutside: (path) =>
        void run(async () => {
          await api.post('/sessions/{sessionId}/tree/open', { path: session, body: { path } });
          return undefined;
        }),
      upload: (all, folder) =>
        void run(async () => {
          for (const file of all) onMade(await uploaded(sessionId, file, { folder, move }));
          return say('files.uploaded', { count: all.length });
        }),
      save: (path) =>
        void run(async () =>
          (await saveFile({ sessionId, path }, nameOf(path)))
            ? undefined
            : { text: say('files.tooLargeToSave'), place: path },
        ),
      tell: (text) => setNotice({ text }),
      copyPath: (path) =>
        void navigator.clipboard.writeText(path).then(
          () => setNotice({ text: say('files.pathCopied') }),
          (error: unknown) => setNotice({ error }),
        ),
    };
  }, [sessionId, files, onMade, onGone, say, client, notice, clip, isBusy]);
}

interface TreeRequests {
  copy(path: string): Promise<string>;
  move(path: string, folder: string): Promise<string>;
  session: { sessionId: string };
}

/**
 * The interface creates the copy beside the original: it is then moved to the target, under its original name if that
 * is free.
 */
async function copyTo(path: string, folder: string, { copy, move, session }: TreeRequests): Promise<string> {
  const beside = await copy(path);
  if (parentOf(path) === folder) return beside;
  const carried = await orUndone(move(beside, folder), () =>
    api.post('/sessions/{sessionId}/tree/delete', { path: session, body: { path: beside } }),
  );
  try {
    await api.post('/sessions/{sessionId}/tree/rename', {
      path: session,
      body: { path: carried, newName: nameOf(path) },
    });
    return childOf(folder, nameOf(path));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FILE_EXISTS') return carried;
    throw error;
  }
}

/** The interface stores uploads in its own folder, from which they are moved to the drop target. */
async function uploaded(
  sessionId: string,
  file: File,
  { folder, move }: { folder: string } & Pick<TreeRequests, 'move'>,
): Promise<string> {
  const session = { sessionId };
  const { path } = await api.post('/sessions/{sessionId}/chat-files', {
    path: session,
    headers: { 'x-svc-file-name': file.name },
    body: file,
  });
  if (parentOf(path) === folder) return path;
  return orUndone(move(path, folder), () =>
    api.post('/sessions/{sessionId}/tree/delete', { path: session, body: { path } }),
  );
}

/** Undoes a partial operation before its failure is shown. */
async function orUndone<Value>(act: Promise<Value>, undo: () => Promise<unknown>): Promise<Value> {
  try {
    return await act;
  } catch (error) {
    await undo();
    throw error;
  }
}
