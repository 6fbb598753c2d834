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
