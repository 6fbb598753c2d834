import { createContext, type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';
import { now } from '../ambient.ts';

/** A key pressed this soon after the card came up was meant for something else. */
const TOO_SOON_MS = 350;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
  (target as HTMLTextAreaElement).value !== '';

/** Where several cards stand on one page, a key answers the one that has the focus, and none takes it by itself. */
export const CardKeysScope = createContext<'page' | 'card'>('page');

interface CardKeysNeeds<Answer> {
  /** What a key alone answers, if anything. */
  answerOf: (key: string) => Answer | undefined;
  answer: (answer: Answer) => void;
  isSending: boolean;
}

interface CardKeys<Answer> {
  card: RefObject<HTMLElement | null>;
  /** Leaves the card with Esc, without answering it. */
  leave: (event: KeyboardEvent) => void;
  /** A press of one of its buttons. */
  choose: (answer: Answer) => void;
}

/**
 * Keys of a card that waits: one answers it from anywhere, unless the user is writing or a dialog is open. When the
 * card comes up and nobody is in the middle of something, the first control under `data-answers` gets the keyboard.
 */
export function useCardKeys<Answer>({ answerOf, answer, isSending }: CardKeysNeeds<Answer>): CardKeys<Answer> {
  const card = useRef<HTMLElement>(null);
  const shownAt = useRef(now());
  const scope = useContext(CardKeysScope);
  const isTooSoon = () => now() - shownAt.current < TOO_SOON_MS;
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
    // Enter then answers; whoever is in the middle of something keeps the keyboard.
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
