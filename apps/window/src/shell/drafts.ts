import { useCallback, useState } from 'react';

/** Texts not sent yet, by session; they live as long as the page. */
const drafts = new Map<string, string>();

export function useDraft(name: string): [string, (text: string) => void] {
  const [state, setState] = useState({ name, text: drafts.get(name) ?? '' });
  if (state.name !== name) setState({ name, text: drafts.get(name) ?? '' });
  const setText = useCallback(
    (text: string) => {
      drafts.set(name, text);
      setState({ name, text });
    },
    [name],
  );
  return [state.text, setText];
}

/** Adds words to a text that is being written elsewhere. */
export function addToDraft(name: string, words: string): void {
  const text = drafts.get(name) ?? '';
  drafts.set(name, text === '' || /\s$/.test(text) ? `${text}${words} ` : `${text} ${words} `);
}
