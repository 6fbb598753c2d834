import { Search } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { languageOf } from '../../../parts/code.tsx';
import { CopyButton } from '../../../parts/ref.tsx';
import { useWords } from '../../../words/words.ts';
import { useColours } from '../use-colours.ts';
import type { FilePlace } from '../use-file-place.ts';
import { FindBar, useFind } from './find-bar.tsx';
import { TextLines } from './text-lines.tsx';

/** A whole text: highlighting, line numbers, search, and the line from the address. */
export function TextView({ path, text, place }: { path: string; text: string; place: FilePlace }) {
  const { say } = useWords();
  const frame = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text]);
  const coloured = useColours(lines, languageOf(path));
  const finding = useFind(lines);
  const target = place.line === undefined ? undefined : Math.min(place.line, lines.length) - 1;
  const leave = () => frame.current?.querySelector<HTMLElement>('.text-scroll')?.focus();
  return (
    <div ref={frame} className="text-view">
      {finding.isOpen ? (
        <FindBar finding={finding} goTo={place.setLine} leave={leave} />
      ) : (
        <div className="text-tools">
          <CopyButton value={text} />
          <button
            type="button"
            className="icon-button"
            aria-label={say('files.find')}
            title={say('files.find')}
            onClick={finding.open}
          >
            <Search size={14} aria-hidden />
          </button>
        </div>
      )}
      <TextLines
        label={path}
        lines={lines}
        coloured={coloured}
        firstNumber={1}
        target={target}
        hits={finding.hits}
        hit={finding.hit}
        press={finding.press}
        chooseLine={place.setLine}
      />
    </div>
  );
}
