import type { Conversation } from '@fucina/conversation';
import { type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useConversationReader } from '../../../session/use-session.tsx';

/** The user's messages, latest first, without repetitions. */
export function sentMessages({ items }: Pick<Conversation, 'items'>): string[] {
  const texts = items.flatMap((item) =>
    item.kind === 'user' && !item.isRemoved && item.text.trim() !== '' ? [item.text] : [],
  );
  return [...new Set(texts.reverse())];
}

/**
 * Up at the beginning of the field shows the previous message, Down the next one and then the draft again. Any change
 * of the text makes it the draft. Returns whether the key was used.
 */
export function useHistory(text: string, setText: (text: string) => void): (event: KeyboardEvent) => boolean {
  const read = useConversationReader();
  /** The position in the history, what it showed, and the draft before. */
  const place = useRef<{ at: number; shown: string; draft: string }>(undefined);
  if (place.current && place.current.shown !== text) place.current = undefined;
  return (event) => {
    const box = event.currentTarget as HTMLTextAreaElement;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const current = place.current ?? { at: -1, shown: text, draft: text };
    const isUp = event.key === 'ArrowUp' && box.selectionStart === 0 && box.selectionEnd === 0;
    // A message just shown has the cursor at its beginning.
    const isAtEdge = box.selectionStart === 0 || box.selectionEnd === box.value.length;
    const isDown = event.key === 'ArrowDown' && current.at >= 0 && isAtEdge;
    if (!isUp && !isDown) return false;
    const messages = sentMessages(read());
    const at = current.at + (isUp ? 1 : -1);
    const shown = at < 0 ? current.draft : messages[at];
    if (shown === undefined) return false;
    event.preventDefault();
    place.current = at < 0 ? undefined : { ...current, at, shown };
    // At once: the next arrow may be pressed before the next frame.
    flushSync(() => setText(shown));
    box.setSelectionRange(0, 0);
    return true;
  };
}
