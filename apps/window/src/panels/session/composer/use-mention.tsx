import { type KeyboardEvent, type ReactNode, type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { withWords } from '../../../words/words.ts';
import type { LateFile } from './attachment.ts';
import type { MentionKeys } from './mention-list.tsx';

export const MentionList = lazyPart(async () => (await withWords(import('./mention-list.tsx'))).MentionList, {
  isQuiet: true,
});

/** The text after the `@` before the cursor; undefined if there is none. */
const mentionAt = (text: string, caret: number): string | undefined =>
  /(?:^|\s)@([^\s@]{0,256})$/.exec(text.slice(0, caret))?.[1];

interface MentionNeeds {
  sessionId: string;
  text: string;
  setText: (text: string) => void;
  attach: (file: LateFile) => void;
  box: RefObject<HTMLTextAreaElement | null>;
}

export interface Mention {
  /** The suggestion list, if open. */
  list: ReactNode;
  /** Call whenever the cursor moves. */
  look(event: SyntheticEvent<HTMLTextAreaElement>): void;
  /** Whether the list used the key. */
  press(event: KeyboardEvent): boolean;
}

/** Suggests files, symbols, sessions, notes and addresses after an `@`. */
export function useMention({ sessionId, text, setText, attach, box }: MentionNeeds): Mention {
  const [caret, setCaret] = useState(0);
  const keys: MentionKeys = useRef(undefined);
  const asked = mentionAt(text, caret);
  return {
    list: asked !== undefined && (
      <MentionList sessionId={sessionId} asked={asked} box={box} keys={keys} setText={setText} attach={attach} />
    ),
    look: (event) => setCaret(event.currentTarget.selectionStart),
    press: (event) => keys.current?.(event) ?? false,
  };
}
