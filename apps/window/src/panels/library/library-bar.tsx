import { ListX, Search, Trash2 } from 'lucide-react';
import { useWords } from '../../words/words.ts';
import { ChoiceField } from '../notes-tasks-memories/field.tsx';
import { type Filter, KINDS, ORIGINS } from './listing.ts';

interface BarProps {
  filter: Filter;
  setFilter: (filter: Filter) => void;
  /** Number of listed items. */
  count: number;
  chosen: ReadonlySet<string>;
  clear: () => void;
  remove: () => void;
}

/** The filter, and actions for the selected items. */
export function LibraryBar({ filter, setFilter, count, chosen, clear, remove }: BarProps) {
  const { say } = useWords();
  return (
    <>
      <div className="files-head">
        <div className="files-search">
          <Search size={14} className="muted" aria-hidden />
          <input
            type="search"
            aria-label={say('library.search')}
            placeholder={say('library.search')}
            value={filter.text}
            maxLength={200}
            onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setFilter({ ...filter, text: '' });
            }}
          />
        </div>
      </div>
      <div className="library-bar">
        {chosen.size > 1 ? (
          <>
            <span className="small tabular library-count">{say('library.chosen', { count: chosen.size })}</span>
            <button type="button" className="text-button" onClick={remove}>
              <Trash2 size={14} aria-hidden /> {say('act.delete')}
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={say('library.unchoose')}
              title={say('library.unchoose')}
              onClick={clear}
            >
              <ListX size={14} aria-hidden />
            </button>
          </>
        ) : (
          <>
            <ChoiceField
              className="chip"
              label={say('library.kind')}
              value={filter.kind}
              values={KINDS}
              nameOf={(kind) => say(`library.kind.${kind}`)}
              pick={(kind) => setFilter({ ...filter, kind })}
            />
            <ChoiceField
              className="chip"
              label={say('library.origin')}
              value={filter.origin}
              values={ORIGINS}
              nameOf={(origin) => say(`library.origin.${origin}`)}
              pick={(origin) => setFilter({ ...filter, origin })}
            />
            <span className="small muted tabular library-count">{say('library.count', { count })}</span>
          </>
        )}
      </div>
    </>
  );
}
