import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { withWords } from '../../../words/words.ts';
import type { MentionKeys } from './mention-list.tsx';

export const MentionList = lazyPart(async () => (await withWords(import('./mention-list.tsx'))).MentionList, {
  isQuiet: true,
});

/** What is written after the `@` before the caret; undefined where none is being written. */
const mentionAt = (text: string, caret: number): string | undefined =>
  /(?:^|\s)@([^\s@]{0,256})$/.exec(text.slice(0, caret))?.[1];

interface MentionNeeds {
  sessionId: string;
  text: string;
  setText: (text: string) => void;
  box: RefObject<HTMLTextAreaElement | null>;
}

export interface Mention {
  /** What could be meant, while something is. */
  list: ReactNode;
  /** Where the caret is: to be told whenever it moves. */
  look(event: SyntheticEvent<HTMLTextAreaElement>): void;
  /** Whether the list took the key. */
  press(event: KeyboardEvent): boolean;
}

/** Files of the folder by their name, after an `@`. */
export function useMention({ sessionId, text, setText, box }: MentionNeeds): Mention {
  const [caret, setCaret] = useState(0);
  const keys: MentionKeys = useRef(undefined);
  const asked = mentionAt(text, caret);
  return {
    list: asked !== undefined && (
      <Suspense>
        <MentionList sessionId={sessionId} asked={asked} box={box} keys={keys} setText={setText} />
      </Suspense>
    ),
    look: (event) => setCaret(event.currentTarget.selectionStart),
    press: (event) => keys.current?.(event) ?? false,
  };
}
