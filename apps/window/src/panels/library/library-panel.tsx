import '../../styles/files.css';
import '../../styles/viewers.css';
import '../../styles/library.css';
import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileX, Library, PackageOpen } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { type LibraryItem, libraryQuery, refreshLibrary } from '../../wire/library.ts';
import { useWords } from '../../words/words.ts';
import { ItemView } from './item-view.tsx';
import { LibraryBar } from './library-bar.tsx';
import { LibraryList } from './library-list.tsx';
import { LibraryNotice } from './library-notice.tsx';
import { matching, NO_FILTER, NO_SELECTION, pruneSelection, type Selection } from './listing.ts';
import { useItemActions } from './use-item-actions.ts';

/** Events that may change the library: the end of a turn, a file created by a tool. */
const pulseOf = ({ filesVersion, isRunning, isReplayed }: Conversation) =>
  isReplayed ? `${filesVersion} ${isRunning}` : undefined;

function useLiveChanges(sessionId: string): void {
  const client = useQueryClient();
  const pulse = useConversationFact(pulseOf);
  const before = useRef(pulse);
  useEffect(() => {
    // Replayed events change nothing.
    const isNews = before.current !== undefined && before.current !== pulse;
    before.current = pulse;
    if (isNews) void refreshLibrary(client, sessionId);
  }, [client, sessionId, pulse]);
}

/** The selection, without rows that are no longer listed. */
function useChoice(items: readonly LibraryItem[]): [Selection, (choice: Selection) => void] {
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const before = useRef(ids);
  const [choice, setChoice] = useState(NO_SELECTION);
  useEffect(() => {
    setChoice((was) => pruneSelection(before.current, ids, was));
    before.current = ids;
  }, [ids]);
  return [choice, setChoice];
}

function Unmatched({ clear }: { clear: () => void }) {
  const { say } = useWords();
  return (
    <div className="files-none library-unmatched">
      <p className="muted">{say('library.nothing')}</p>
      <button type="button" className="text-button" onClick={clear}>
        {say('library.everything')}
      </button>
    </div>
  );
}

interface ItemListProps {
  sessionId: string;
  items: readonly LibraryItem[];
}

function ItemList({ sessionId, items }: ItemListProps) {
  const [search, setSearch] = useSearchParams();
  const shownId = search.get('item') ?? undefined;
  const [filter, setFilter] = useState(NO_FILTER);
  const asked = useDeferredValue(filter);
  const listed = useMemo(() => matching(items, asked), [items, asked]);
  const [choice, choose] = useChoice(listed);
  const [named, name] = useState<string>();
  const show = useCallback(
    (id: string | undefined, replace = false) => setSearch(id === undefined ? {} : { item: id }, { replace }),
    [setSearch],
  );
  const latest = useRef(shownId);
  latest.current = shownId;
  const onGone = useCallback(
    (ids: readonly string[]) => {
      if (latest.current !== undefined && ids.includes(latest.current)) show(undefined, true);
    },
    [show],
  );
  const acts = useItemActions(sessionId, onGone);
  const shown = items.find(({ id }) => id === shownId);
  return (
    <div className="files library" data-open={shownId !== undefined || undefined}>
      <div className="files-side">
        <LibraryBar
          filter={filter}
          setFilter={setFilter}
          count={listed.length}
          chosen={choice.chosen}
          clear={() => choose({ ...NO_SELECTION, current: choice.current })}
          remove={() => acts.remove(listed.filter(({ id }) => choice.chosen.has(id)))}
        />
        {listed.length === 0 ? (
          <Unmatched clear={() => setFilter(NO_FILTER)} />
        ) : (
          <LibraryList
            items={listed}
            shown={shownId}
            choice={choice}
            choose={choose}
            open={show}
            named={named}
            name={name}
            rename={acts.rename}
            remove={acts.remove}
          />
        )}
        <LibraryNotice acts={acts} />
      </div>
      <div className="files-main">
        {shown ? (
          <ItemView key={shown.id} sessionId={sessionId} item={shown} acts={acts} leave={() => show(undefined)} />
        ) : (
          <Unlooked isGone={shownId !== undefined} leave={() => show(undefined)} />
        )}
      </div>
    </div>
  );
}

/** Shown instead of an item: none is selected, or it was deleted. */
function Unlooked({ isGone, leave }: { isGone: boolean; leave: () => void }) {
  const { say } = useWords();
  if (!isGone) {
    return (
      <Empty icon={<Library size={20} aria-hidden />} title={say('library.pick')}>
        {say('library.pick.why')}
      </Empty>
    );
  }
  const back = (
    <button type="button" className="text-button" onClick={leave}>
      {say('library.everything')}
    </button>
  );
  return (
    <Empty icon={<FileX size={20} aria-hidden />} title={say('library.gone')} action={back}>
      {say('library.gone.why')}
    </Empty>
  );
}

/** The project's library of agent-made and user-given files; the selected item is in the address. */
export function LibraryPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  useLiveChanges(sessionId);
  const query = useQuery(libraryQuery(sessionId));
  return (
    <Answer query={query} lines={8}>
      {({ items, problem }) => {
        if (problem !== undefined) {
          return (
            <Empty icon={<FileX size={20} aria-hidden />} title={say('library.damaged')}>
              <p>{problem}</p>
              <p>{say('library.damaged.why')}</p>
            </Empty>
          );
        }
        if (items.length === 0) {
          return (
            <Empty icon={<PackageOpen size={20} aria-hidden />} title={say('library.none')}>
              {say('library.none.why')}
            </Empty>
          );
        }
        return <ItemList sessionId={sessionId} items={items} />;
      }}
    </Answer>
  );
}
