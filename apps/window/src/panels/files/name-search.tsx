import { cleanText } from '@fucina/conversation/clean-text';
import { useQuery } from '@tanstack/react-query';
import { File, Folder, Search, X } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useRef } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import type { NameSearch } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { nameOf, parentOf } from './paths.ts';
import { nameSearchQuery } from './queries.ts';

interface FieldProps {
  text: string;
  setText: (text: string) => void;
  /** Moves the focus to the results. */
  down: () => void;
}

const LONGEST_SEARCH = 256;

export function SearchField({ text, setText, down }: FieldProps) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="files-search">
      <Search size={14} className="muted" aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={say('files.search')}
        placeholder={say('files.search')}
        maxLength={LONGEST_SEARCH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
          else if (event.key === 'ArrowDown') down();
          else return;
          event.preventDefault();
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('files.search.clear')}
          title={say('files.search.clear')}
          onClick={() => {
            setText('');
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

/** Arrow keys move through the results. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  all[all.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  event.preventDefault();
}

/** The limit that ended the search, and the folders that it skipped. */
function Limits({ search }: { search: NameSearch }) {
  const { say, number } = useWords();
  return (
    <div className="files-limits small muted">
      {search.reason && <p>{say(`files.search.cut.${search.reason}`, { count: number(search.visited) })}</p>}
      {search.skipped.length > 0 && <p>{say('files.search.skipped', { names: search.skipped.join(', ') })}</p>}
    </div>
  );
}

interface ResultsProps {
  sessionId: string;
  text: string;
  choose: (path: string, isFolder: boolean) => void;
}

/** Results of a name search, and its limits. */
export function SearchResults({ sessionId, text, choose }: ResultsProps) {
  const { say } = useWords();
  const wanted = useDeferredValue(text.trim());
  const query = useQuery(nameSearchQuery(sessionId, wanted));
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading lines={6} />;
  const { results } = query.data;
  return (
    <div className="files-scroll">
      <p className="unseen" role="status">
        {say('files.search.found', { count: results.length })}
      </p>
      {results.length === 0 && <p className="files-none muted small">{say('files.search.none')}</p>}
      <ul className="files-found" aria-label={say('files.search.results')} onKeyDown={walk}>
        {results.map(({ path, isFolder }) => {
          const Icon = isFolder ? Folder : File;
          return (
            <li key={path}>
              <button type="button" className="tree-row" title={path} onClick={() => choose(path, isFolder)}>
                <Icon size={14} className="muted" aria-hidden />
                <span className="tree-name">{cleanText(nameOf(path))}</span>
                <span className="path muted">
                  <CleanText text={parentOf(path)} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Limits search={query.data} />
    </div>
  );
}
