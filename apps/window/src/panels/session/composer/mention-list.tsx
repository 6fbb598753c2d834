import '../../../styles/overlays.css';
import { type Conversation, netChanges } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { File, Folder } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useId, useState } from 'react';
import { useConversationFact } from '../../../session/use-session.tsx';
import { treeQuery } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';
import { mentionOf } from '../../files/mention.ts';
import { nameOf, parentOf } from '../../files/paths.ts';
import { nameSearchQuery } from '../../files/queries.ts';

/** Called before the text field handles a key; returns whether it was used. */
export type MentionKeys = RefObject<((event: KeyboardEvent) => boolean) | undefined>;

interface MentionProps {
  sessionId: string;
  /** The text after the `@`. */
  asked: string;
  box: RefObject<HTMLTextAreaElement | null>;
  keys: MentionKeys;
  setText: (text: string) => void;
}

interface Candidate {
  path: string;
  isFolder: boolean;
}

const MOST_SHOWN = 30;
const changesOf = (conversation: Conversation) => conversation.changes;

/** Without a text: files changed by the session, then those of the folder. */
function useCandidates(sessionId: string, asked: string): Candidate[] {
  const wanted = useDeferredValue(asked);
  const changes = useConversationFact(changesOf);
  const root = useQuery({ ...treeQuery('sessions', sessionId, ''), enabled: asked === '' });
  const found = useQuery(nameSearchQuery(sessionId, wanted));
  if (asked !== '') {
    // Until new results arrive, earlier matches that still fit are shown.
    const hits = (found.data?.risultati ?? []).filter(({ percorso }) =>
      percorso.toLowerCase().includes(asked.toLowerCase()),
    );
    return hits.slice(0, MOST_SHOWN).map(({ percorso, cartella }) => ({ path: percorso, isFolder: cartella }));
  }
  const changed = netChanges(changes).flatMap(({ path, after }) => (after === null ? [] : [path]));
  const first = changed.reverse().map((path) => ({ path, isFolder: false }));
  const rest = (root.data ?? []).map(({ nome, cartella }) => ({ path: nome, isFolder: cartella }));
  return [...first, ...rest.filter(({ path }) => !changed.includes(path))].slice(0, MOST_SHOWN);
}

/** Matching files and folders. Enter selects, Tab opens a folder, Esc closes. */
export function MentionList({ sessionId, asked, box, keys, setText }: MentionProps) {
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
    setText(`${element.value.slice(0, begin)}${words}${element.value.slice(caret)}`);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(begin + words.length, begin + words.length);
    });
  };
  const pick = ({ path }: Candidate) => put(`${mentionOf(path)} `);

  useEffect(() => {
    keys.current = (event) => {
      const candidate = candidates[at];
      if (!isOpen || !candidate || event.ctrlKey || event.metaKey || event.altKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) setState({ ...state, at: (at + step + candidates.length) % candidates.length });
      else if (event.key === 'Escape') setState({ ...state, isLeft: true });
      else if (event.key === 'Tab' && candidate.isFolder && !/\s/.test(candidate.path)) put(`@${candidate.path}/`);
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
          const Icon = candidate.isFolder ? Folder : File;
          return (
            <div
              key={candidate.path}
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
              <span>{nameOf(candidate.path)}</span>
              <span className="pick-name muted small">{parentOf(candidate.path)}</span>
            </div>
          );
        })}
      </div>
      <p className="pick-group">{say('mention.why')}</p>
    </div>
  );
}
