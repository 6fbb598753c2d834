import '../../../styles/overlays.css';
import { Braces, File, Folder, Globe, type LucideIcon, MessageSquare, Plug, StickyNote } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWords } from '../../../words/words.ts';
import type { LateFile } from './attachment.ts';
import { type Candidate, useCandidates } from './mention-sources.ts';

/** Called before the text field handles a key; returns whether it was used. */
export type MentionKeys = RefObject<((event: KeyboardEvent) => boolean) | undefined>;

interface MentionProps {
  sessionId: string;
  /** The text after the `@`. */
  asked: string;
  box: RefObject<HTMLTextAreaElement | null>;
  keys: MentionKeys;
  setText: (text: string) => void;
  attach: (file: LateFile) => void;
}

const ICONS: Record<Candidate['kind'], LucideIcon> = {
  file: File,
  folder: Folder,
  symbol: Braces,
  session: MessageSquare,
  note: StickyNote,
  url: Globe,
  resource: Plug,
};

/** Matching files, symbols, sessions, notes, resources and addresses. Enter selects, Tab opens a folder, Esc closes. */
export function MentionList({ sessionId, asked, box, keys, setText, attach }: MentionProps) {
  const { say } = useWords();
  const id = useId();
  const [state, setState] = useState({ asked, at: 0, isLeft: false });
  if (state.asked !== asked) setState({ asked, at: 0, isLeft: false });
  const candidates = useCandidates(sessionId, asked);
  const at = Math.min(state.at, candidates.length - 1);
  const isOpen = candidates.length > 0 && !state.isLeft;

  /** Puts something in the place of the `@` and what follows it. */
  const put = (words: string) => {
    const element = box.current;
    if (!element) return;
    const caret = element.selectionStart;
    const begin = caret - asked.length - 1;
    // At once: the next letter may be typed before the next frame.
    flushSync(() => setText(`${element.value.slice(0, begin)}${words}${element.value.slice(caret)}`));
    element.focus();
    element.setSelectionRange(begin + words.length, begin + words.length);
  };
  const pick = ({ words, file }: Candidate) => {
    put(words);
    if (file) attach(file);
  };

  // Before the first paint: what is on screen takes its keys.
  useLayoutEffect(() => {
    keys.current = (event) => {
      const candidate = candidates[at];
      if (!isOpen || !candidate || event.ctrlKey || event.metaKey || event.altKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) setState({ ...state, at: (at + step + candidates.length) % candidates.length });
      else if (event.key === 'Escape') setState({ ...state, isLeft: true });
      else if (event.key === 'Tab' && candidate.opens) put(candidate.opens);
      else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) pick(candidate);
      else return false;
      event.preventDefault();
      return true;
    };
    return () => {
      keys.current = undefined;
    };
  });
  useEffect(() => {
    const element = box.current;
    if (!isOpen || !element) return;
    element.setAttribute('aria-controls', id);
    element.setAttribute('aria-activedescendant', `${id}-${at}`);
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeAttribute('aria-controls');
      element.removeAttribute('aria-activedescendant');
    };
  }, [box, id, at, isOpen]);

  if (!isOpen) return null;
  return (
    <div className="slash">
      <div id={id} role="listbox" aria-label={say('mention.title')}>
        {candidates.map((candidate, place) => {
          const Icon = ICONS[candidate.kind];
          return (
            <div
              key={candidate.id}
              id={`${id}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              className="pick-entry"
              onMouseMove={() => place !== at && setState({ ...state, at: place })}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(candidate)}
            >
              <Icon size={14} className="muted" aria-hidden />
              <span className="mention-name">{candidate.name}</span>
              <span className="pick-name muted small">{candidate.detail}</span>
            </div>
          );
        })}
      </div>
      <p className="pick-group">{say('mention.why')}</p>
    </div>
  );
}
