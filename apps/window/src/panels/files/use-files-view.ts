import type { Conversation } from '@fucina/conversation';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { later } from '../../ambient.ts';
import { useConversationFact } from '../../session/use-session.tsx';
import { addToDraft } from '../../shell/drafts.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { useWords, type Words } from '../../words/words.ts';
import { afterSave, endEdit, isUnsaved, moveEdits } from './editor/edits.ts';
import { type FileActions, useFileActions } from './file-actions.ts';
import { marksOf } from './marks.ts';
import { mentionOf } from './mention.ts';
import type { OpenFiles } from './open-files.ts';
import { isBelow, movedPath, nameOf } from './paths.ts';
import type { NewEntryDraft } from './tree-list.tsx';
import type { MenuNeeds } from './tree-menu.tsx';
import type { ChangeMark } from './tree-row.tsx';
import { type FilePlace, useFilePlace } from './use-file-place.ts';
import { type OpenFileActions, openFile, useOpenFiles } from './use-open-files.ts';
import { type FileTree, useTree } from './use-tree.ts';

/** State of the files view. */
export interface FilesView {
  sessionId: string;
  /** Increases whenever the folder changed. */
  version: number;
  place: FilePlace;
  files: OpenFiles & OpenFileActions;
  tree: FileTree;
  acts: FileActions;
  marks: ReadonlyMap<string, ChangeMark>;
  menu: MenuNeeds;
  /** The entry that is being renamed. */
  named: string | undefined;
  rename(path: string | undefined): void;
  /** The new entry without a name. */
  beginning: NewEntryDraft | undefined;
  finish(name: string | undefined): void;
  /** The entry that is being moved. */
  moving: string | undefined;
  stay(): void;
  close(path: string): void;
  reopen(): void;
}

const filesVersionOf = (conversation: Conversation) => conversation.filesVersion;
const changesOf = (conversation: Conversation) => conversation.changes;

/** The server starts to watch a folder a moment after it is opened: changes before that are not reported. */
const UNWATCHED_MS = 2_500;

/** Ends the edit of a file and continues; asks first if it has unsaved changes after a save that is in progress. */
export function leaveEdit(
  { sessionId, path, say }: { sessionId: string; path: string; say: Words['say'] },
  then: () => void = () => undefined,
): void {
  const leave = () => {
    endEdit(sessionId, path);
    then();
  };
  if (!isUnsaved(sessionId, path)) return leave();
  const ask = () =>
    openOverlay({
      kind: 'confirm',
      title: say('editor.leave.ask'),
      text: say('editor.leave.why', { name: nameOf(path) }),
      act: say('editor.leave'),
      isDangerous: true,
      run: async () => leave(),
    });
  afterSave(sessionId, path, () => (isUnsaved(sessionId, path) ? ask() : leave()));
}

/** Reloads visible data whenever the folder changed. */
function useFreshFiles(sessionId: string): number {
  const client = useQueryClient();
  const version = useConversationFact(filesVersionOf);
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['tree', 'sessions', sessionId] });
    void client.invalidateQueries({ queryKey: ['file', sessionId] });
  }, [client, sessionId]);
  useEffect(refresh, [refresh, version]);
  useEffect(() => later(UNWATCHED_MS, refresh), [refresh]);
  return version;
}

/** A file has its tab at once: of several that are opened in a row, the page may show only the last. */
function useOpenedPlace(sessionId: string): FilePlace {
  const place = useFilePlace();
  return useMemo(
    () => ({
      ...place,
      show: (path, more) => {
        if (path !== undefined && !more?.isReplaced) openFile(sessionId, path);
        place.show(path, more);
      },
    }),
    [place, sessionId],
  );
}

export function useFilesView(sessionId: string): FilesView {
  const { say } = useWords();
  const version = useFreshFiles(sessionId);
  const place = useOpenedPlace(sessionId);
  const files = useOpenFiles(sessionId);
  const tree = useTree(sessionId, place.path);
  const changes = useConversationFact(changesOf);
  const marks = useMemo(() => marksOf(changes), [changes]);
  const [named, rename] = useState<string>();
  const [beginning, begin] = useState<NewEntryDraft>();
  const [moving, moveTo] = useState<string>();
  useEffect(() => {
    if (place.path !== undefined) openFile(sessionId, place.path);
  }, [sessionId, place.path]);

  const latest = useRef({ place, tree });
  latest.current = { place, tree };
  const onMade = useCallback(
    (path: string, from?: string) => {
      const now = latest.current;
      if (from !== undefined) {
        now.tree.moved(from, path);
        moveEdits(sessionId, from, path);
        const shown = now.place.path === undefined ? undefined : movedPath(now.place.path, from, path);
        if (shown !== undefined) now.place.show(shown, { isReplaced: true });
      }
      now.tree.find(path);
    },
    [sessionId],
  );
  const onGone = useCallback((path: string) => {
    const { path: shown, show } = latest.current.place;
    if (shown === path || (shown !== undefined && isBelow(shown, path))) show(undefined, { isReplaced: true });
  }, []);
  const acts = useFileActions({ sessionId, files, onMade, onGone });

  return {
    sessionId,
    version,
    place,
    files,
    tree,
    acts,
    marks,
    menu: {
      say,
      acts,
      begin: (folder, kind) => {
        if (folder !== '') tree.enter(folder);
        begin({ folder, kind });
      },
      rename: (path) => {
        tree.find(path);
        rename(path);
      },
      moveTo,
      mention: (path) => {
        addToDraft(sessionId, mentionOf(path));
        acts.tell(say('files.mentioned', { name: nameOf(path) }));
      },
      save: acts.save,
    },
    named,
    rename,
    beginning,
    finish: (name) => {
      begin(undefined);
      if (beginning && name !== undefined) acts.create(beginning.folder, name, beginning.kind);
    },
    moving,
    stay: () => moveTo(undefined),
    close: (path) =>
      leaveEdit({ sessionId, path, say }, () => {
        const next = files.close(path);
        const shown = latest.current.place;
        if (path === shown.path) shown.show(next, { isReplaced: true });
      }),
    reopen: () => {
      const path = files.reopen();
      if (path !== undefined) place.show(path);
    },
  };
}
