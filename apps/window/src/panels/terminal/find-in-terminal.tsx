import { THEMES } from '@fucina/shared/themes';
import type { ISearchOptions, SearchAddon } from '@xterm/addon-search';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useAppearance } from '../../styles/appearance.ts';
import { useWords } from '../../words/words.ts';

interface FindProps {
  search: SearchAddon;
  close: () => void;
}

/** Searches the screen and its scrollback, newest first. */
export function FindInTerminal({ search, close }: FindProps) {
  const { say, number } = useWords();
  const { theme, mode } = useAppearance();
  const [wanted, setWanted] = useState('');
  const [found, setFound] = useState({ at: -1, of: 0 });
  const tokens = THEMES[theme][mode];
  const options: ISearchOptions = {
    decorations: {
      matchBackground: tokens.raised,
      matchOverviewRuler: tokens.muted,
      activeMatchBackground: tokens.accent,
      activeMatchColorOverviewRuler: tokens.accent,
    },
  };
  useEffect(() => {
    const subscription = search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ at: resultIndex, of: resultCount }),
    );
    return () => {
      subscription.dispose();
      search.clearDecorations();
    };
  }, [search]);
  const look = (text: string) => {
    setWanted(text);
    if (text === '') search.clearDecorations();
    else search.findPrevious(text, { ...options, incremental: true });
  };
  const step = (isBack: boolean) => {
    if (wanted === '') return;
    if (isBack) search.findPrevious(wanted, options);
    else search.findNext(wanted, options);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') step(!event.shiftKey);
    else return;
    event.preventDefault();
  };
  const place = { at: number(found.at + 1), of: number(found.of) };
  const count = found.of > 0 ? say('files.find.of', place) : say('files.find.none');
  return (
    <div className="find-bar" role="search">
      <input
        autoFocus
        aria-label={say('files.find')}
        placeholder={say('files.find')}
        value={wanted}
        onChange={(event) => look(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span className="small muted tabular" role="status">
        {wanted !== '' && count}
      </span>
      {(['back', 'next'] as const).map((way) => (
        <button
          key={way}
          type="button"
          className="icon-button"
          disabled={found.of === 0}
          aria-label={say(`files.find.${way}`)}
          title={say(`files.find.${way}`)}
          onClick={() => step(way === 'back')}
        >
          {way === 'back' ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
        </button>
      ))}
      <button
        type="button"
        className="icon-button"
        aria-label={say('act.close')}
        title={say('act.close')}
        onClick={close}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
