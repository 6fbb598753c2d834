import { cleanText } from '@fucina/conversation/clean-text';
import { RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useWords } from '../../words/words.ts';
import { nameOf, parentOf } from './paths.ts';

interface TabsProps {
  id: string;
  paths: readonly string[];
  unsaved: ReadonlySet<string>;
  shown: string | undefined;
  show: (path: string) => void;
  close: (path: string) => void;
  reopenable: string | undefined;
  reopen: () => void;
}

/** Files of the same name show their folder. */
function labelOf(path: string, paths: readonly string[]): string {
  const name = nameOf(path);
  const isAlone = paths.every((other) => other === path || nameOf(other) !== name);
  return isAlone || parentOf(path) === '' ? cleanText(name) : cleanText(`${nameOf(parentOf(path))}/${name}`);
}

/** The open files: arrow keys move between them, Delete or the middle button closes. */
export function FileTabs({ id, paths, unsaved, shown, show, close, reopenable, reopen }: TabsProps) {
  const { say } = useWords();
  const list = useRef<HTMLDivElement>(null);
  /** The focus moves to the tab that replaces the closed one. */
  const isClosing = useRef(false);
  const current = shown !== undefined && paths.includes(shown) ? shown : paths[0];
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (isClosing.current) tab?.focus();
    isClosing.current = false;
  }, [shown]);
  const press = (event: KeyboardEvent, path: string) => {
    const at = paths.indexOf(path);
    const next = {
      ArrowRight: paths[(at + 1) % paths.length],
      ArrowLeft: paths.at(at - 1),
      Home: paths[0],
      End: paths.at(-1),
    }[event.key];
    if (event.key === 'Delete') {
      isClosing.current = path === shown;
      close(path);
    } else if (next !== undefined) {
      show(next);
      list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[paths.indexOf(next)]?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div className="file-tabs">
      <div ref={list} className="file-tab-list" role="tablist" aria-label={say('files.tabs')}>
        {paths.map((path) => (
          <button
            key={path}
            type="button"
            role="tab"
            className="file-tab"
            aria-selected={path === shown}
            aria-controls={path === shown ? id : undefined}
            aria-keyshortcuts="Delete Alt+W"
            tabIndex={path === current ? 0 : -1}
            title={path}
            onClick={() => show(path)}
            onAuxClick={(event) => event.button === 1 && close(path)}
            onKeyDown={(event) => press(event, path)}
          >
            <span>{labelOf(path, paths)}</span>
            {unsaved.has(path) && <span className="file-tab-dot" role="img" aria-label={say('editor.unsaved')} />}
            {/** For the mouse only: a tab cannot contain a button, and the keyboard has Delete. */}
            <span
              className="file-tab-close"
              aria-hidden
              title={`${say('act.close')} (Alt W)`}
              onClick={(event) => {
                event.stopPropagation();
                close(path);
              }}
            >
              <X size={12} />
            </span>
          </button>
        ))}
      </div>
      {reopenable !== undefined && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('files.reopen', { name: nameOf(reopenable) })}
          title={`${say('files.reopen', { name: nameOf(reopenable) })} (Alt Shift W)`}
          aria-keyshortcuts="Alt+Shift+W"
          onClick={reopen}
        >
          <RotateCcw size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
