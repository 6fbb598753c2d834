import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { TerminalTab } from '../../wire/terminals.ts';
import { useWords } from '../../words/words.ts';

interface TabsProps {
  /** Id of the panel of the current tab. */
  id: string;
  items: readonly TerminalTab[];
  shown: string | undefined;
  show: (id: string) => void;
  close: (id: string) => void;
  add: () => void;
  isAdding: boolean;
}

/** Arrow keys move between tabs, Delete or the middle button closes, Enter focuses the shell. */
export function TerminalTabs({ id, items, shown, show, close, add, isAdding }: TabsProps) {
  const { say, number } = useWords();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  const press = (event: KeyboardEvent, at: number) => {
    const next = {
      ArrowRight: items[(at + 1) % items.length],
      ArrowLeft: items.at(at - 1),
      Home: items[0],
      End: items.at(-1),
    }[event.key];
    const tab = items[at];
    if (event.key === 'Delete' && tab) close(tab.terminalId);
    else if (event.key === 'Enter') document.getElementById(id)?.querySelector('textarea')?.focus();
    else if (next) {
      show(next.terminalId);
      list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[items.indexOf(next)]?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div className="file-tabs">
      <div ref={list} className="file-tab-list" role="tablist" aria-label={say('terminal.tabs')}>
        {items.map(({ terminalId }, at) => (
          <button
            key={terminalId}
            type="button"
            role="tab"
            className="file-tab"
            aria-selected={terminalId === shown}
            aria-controls={terminalId === shown ? id : undefined}
            aria-keyshortcuts="Delete"
            tabIndex={terminalId === shown || (shown === undefined && at === 0) ? 0 : -1}
            onClick={() => show(terminalId)}
            onAuxClick={(event) => event.button === 1 && close(terminalId)}
            onKeyDown={(event) => press(event, at)}
          >
            <span>{say('terminal.name', { number: number(at + 1) })}</span>
            {/** For the mouse only: a tab cannot contain a button, and the keyboard has Delete. */}
            <span
              className="file-tab-close"
              aria-hidden
              title={say('terminal.close')}
              onClick={(event) => {
                event.stopPropagation();
                close(terminalId);
              }}
            >
              <X size={12} />
            </span>
          </button>
        ))}
      </div>
      <button
        type="button"
        className="icon-button"
        disabled={isAdding}
        aria-label={say('terminal.new')}
        title={say('terminal.new')}
        onClick={add}
      >
        <Plus size={14} aria-hidden />
      </button>
    </div>
  );
}
