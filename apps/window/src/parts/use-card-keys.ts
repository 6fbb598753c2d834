import { createContext, type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';
import { monotonic } from '../ambient.ts';

/** A key pressed this soon after the card appeared was meant for something else. */
const TOO_SOON_MS = 350;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
  (target as HTMLTextAreaElement).value !== '';

/** With several cards on a page, a key answers the focused one, and none takes the focus by itself. */
export const CardKeysScope = createContext<'page' | 'card'>('page');

interface CardKeysNeeds<Answer> {
  /** The answer of a single key, if any. */
  answerOf: (key: string) => Answer | undefined;
  answer: (answer: Answer) => void;
  isSending: boolean;
}

interface CardKeys<Answer> {
  card: RefObject<HTMLElement | null>;
  /** Leaves the card with Esc, without answering it. */
  leave: (event: KeyboardEvent) => void;
  /** A click on one of its buttons. */
  choose: (answer: Answer) => void;
}

/**
 * Keys of a pending card: a single key answers it from anywhere, unless the user is typing or a dialog is open. When
 * the card appears and the user is idle, the first control under `data-answers` gets the focus.
 */
export function useCardKeys<Answer>({ answerOf, answer, isSending }: CardKeysNeeds<Answer>): CardKeys<Answer> {
  const card = useRef<HTMLElement>(null);
  const shownAt = useRef(monotonic());
  const scope = useContext(CardKeysScope);
  const isTooSoon = () => monotonic() - shownAt.current < TOO_SOON_MS;
  const press = (event: globalThis.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const chosen = answerOf(event.key);
    if (chosen === undefined || isSending || isTooSoon()) return;
    if (scope === 'card' && !card.current?.contains(document.activeElement)) return;
    if (document.querySelector('[aria-modal="true"]')) return;
    event.preventDefault();
    answer(chosen);
  };
  const latest = useRef(press);
  latest.current = press;

  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    const active = document.activeElement;
    const isFree =
      scope === 'page' &&
      (active === null || active === document.body || (active instanceof HTMLTextAreaElement && !active.value));
    // Enter then answers; a user who is typing keeps the focus.
    if (isFree) {
      card.current
        ?.querySelector<HTMLElement>('[data-answers] :is(input, textarea, button)')
        ?.focus({ preventScroll: true });
    }
    return () => document.removeEventListener('keydown', listen);
  }, [scope]);

  return {
    card,
    leave: (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      (document.activeElement as HTMLElement | null)?.blur();
    },
    choose: (chosen) => {
      if (!isTooSoon() && !isSending) answer(chosen);
    },
  };
}
