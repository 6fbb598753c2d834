import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  deleteItem,
  deleteItems,
  itemAddress,
  type LibraryItem,
  openOnDesktop,
  refreshLibrary,
  renameItem,
} from '../../wire/library.ts';
import { useWords } from '../../words/words.ts';

export interface Notice {
  text?: string;
  error?: unknown;
}

export interface ItemActions {
  /** Result of the last action, if worth showing. */
  notice: Notice | undefined;
  dismiss(): void;
  rename(item: LibraryItem, name: string): void;
  /** Asks first: a deletion cannot be undone. */
  remove(items: readonly LibraryItem[]): void;
  download(item: LibraryItem): void;
  reveal(item: LibraryItem): void;
  openOutside(item: LibraryItem): void;
  copyPath(path: string): void;
}

/** Actions for library items. */
export function useItemActions(sessionId: string, onGone: (ids: readonly string[]) => void): ItemActions {
  const { say } = useWords();
  const client = useQueryClient();
  const [notice, setNotice] = useState<Notice>();
  return useMemo(() => {
    const run = async (act: () => Promise<Notice | undefined>) => {
      try {
        setNotice(await act());
      } catch (error) {
        setNotice({ error });
      }
    };
    const openWith = (item: LibraryItem, act: 'reveal' | 'open') =>
      void run(async () => {
        await openOnDesktop(sessionId, item.id, act);
        return undefined;
      });
    const eraseOne = async ({ id, name }: LibraryItem) => {
      await deleteItem(sessionId, id);
      onGone([id]);
      setNotice({ text: say('library.deleted', { name: name }) });
    };
    const eraseAll = async (items: readonly LibraryItem[]) => {
      const ids = items.map(({ id }) => id);
      const left = await deleteItems(sessionId, ids);
      onGone(ids.filter((id) => !left.includes(id)));
      const text =
        left.length > 0
          ? say('library.deleted.some', { count: left.length, of: ids.length })
          : say('library.deleted.many', { count: ids.length });
      setNotice({ text });
    };
    return {
      notice,
      dismiss: () => setNotice(undefined),
      rename: (item, name) =>
        void run(async () => {
          const { nameAfter } = await renameItem(sessionId, item.id, name);
          await refreshLibrary(client, sessionId);
          // Characters forbidden in file names are removed, so the result may differ from the input.
          return nameAfter === name ? undefined : { text: say('library.renamed', { name: nameAfter }) };
        }),
      remove(items) {
        const [first] = items;
        if (!first) return;
        openOverlay({
          kind: 'confirm',
          title:
            items.length === 1
              ? say('library.delete.ask', { name: first.name })
              : say('library.delete.many', { count: items.length }),
          text: say('library.delete.why'),
          act: say('act.delete'),
          isDangerous: true,
          run: () =>
            (items.length === 1 ? eraseOne(first) : eraseAll(items)).finally(() => refreshLibrary(client, sessionId)),
        });
      },
      download(item) {
        const link = document.createElement('a');
        link.href = itemAddress(sessionId, item.id, 'file');
        link.download = item.name;
        link.click();
      },
      reveal: (item) => openWith(item, 'reveal'),
      openOutside: (item) => openWith(item, 'open'),
      copyPath: (path) =>
        void run(async () => {
          await navigator.clipboard.writeText(path);
          return { text: say('library.pathCopied') };
        }),
    };
  }, [sessionId, onGone, say, client, notice]);
}
