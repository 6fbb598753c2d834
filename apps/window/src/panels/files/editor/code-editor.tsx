import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { languageOf, languagePart, phrasesPart, wrapPart } from './editor-setup.ts';
import type { Buffer } from './edits.ts';

interface CodeEditorProps {
  path: string;
  buffer: Buffer;
  /** Every change of the text, the selection and the history. */
  onState: (state: Buffer['state']) => void;
  isWrapped: boolean;
  phrases: Extension;
  /** Shown when the editor opens. */
  line: number | undefined;
  /** Receives the editor, for commands of the toolbar. */
  onView: (view: EditorView | undefined) => void;
}

/** The text of a file in an editor; its state lives with the edit, so that it outlives this element. */
export function CodeEditor({ path, buffer, onState, isWrapped, phrases, line, onView }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onState, buffer, line });
  latest.current = { onState, buffer, line };
  useEffect(() => {
    const { state } = latest.current.buffer;
    const opened = new EditorView({
      state,
      parent: place.current as HTMLDivElement,
      dispatchTransactions(transactions, editor) {
        editor.update(transactions);
        latest.current.onState(editor.state);
      },
    });
    view.current = opened;
    onView(opened);
    const { line: wanted } = latest.current;
    if (wanted !== undefined) {
      const { from } = state.doc.line(Math.min(Math.max(wanted, 1), state.doc.lines));
      opened.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    }
    opened.focus();
    let isCurrent = true;
    languageOf(path)
      .then((found) => {
        if (isCurrent && found) opened.dispatch({ effects: languagePart.reconfigure(found) });
      })
      // Without its language a text has no colors.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
      onView(undefined);
      opened.destroy();
    };
  }, [path, onView]);
  useEffect(() => {
    view.current?.dispatch({ effects: wrapPart.reconfigure(isWrapped ? EditorView.lineWrapping : []) });
  }, [isWrapped]);
  useEffect(() => {
    view.current?.dispatch({ effects: phrasesPart.reconfigure(phrases) });
  }, [phrases]);
  // The text was replaced from outside: by the version on the disk.
  useEffect(() => {
    if (view.current && view.current.state !== buffer.state) view.current.setState(buffer.state);
  }, [buffer.state]);
  return <div ref={place} className="code-editor" />;
}
