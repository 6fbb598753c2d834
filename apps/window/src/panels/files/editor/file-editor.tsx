import '../../../styles/editor.css';
import { gotoLine, openSearchPanel } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { Button } from '@mantine/core';
import { CornerDownRight, FileQuestionMark, Save, Search } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { languageOf } from '../../../parts/code.tsx';
import { useCodeWrap } from '../../../parts/code-wrap.ts';
import { Diff } from '../../../parts/diff.tsx';
import { Empty, Failure, Loading } from '../../../parts/states.tsx';
import { WrapButton } from '../../../parts/wrap-button.tsx';
import { isMac } from '../../../shell/shortcuts.ts';
import { useWords, type WordKey } from '../../../words/words.ts';
import { CodeEditor } from './code-editor.tsx';
import { type Editing, useEditing } from './use-editing.ts';

/** Texts of the editor's own panels, by the English text that it uses as their key. */
const PHRASES: Readonly<Record<string, WordKey>> = {
  Find: 'editor.find',
  Replace: 'editor.replaceWith',
  next: 'editor.next',
  previous: 'editor.previous',
  all: 'editor.all',
  'match case': 'editor.matchCase',
  'by word': 'editor.byWord',
  regexp: 'editor.regexp',
  replace: 'editor.replace',
  'replace all': 'editor.replaceAll',
  close: 'act.close',
  'Go to line': 'editor.line',
  go: 'editor.go',
};

function usePhrases() {
  const { say } = useWords();
  return useMemo(
    () => EditorState.phrases.of(Object.fromEntries(Object.entries(PHRASES).map(([key, word]) => [key, say(word)]))),
    [say],
  );
}

function Conflict({ editing, path }: { editing: Editing; path: string }) {
  const { say } = useWords();
  const [isCompared, setIsCompared] = useState(false);
  const { conflict, buffer } = editing;
  if (!conflict || !buffer) return null;
  const isGone = conflict.hash === null;
  return (
    <div className="editor-conflict" role="alert">
      <p>{say(isGone ? 'editor.gone' : 'editor.changed')}</p>
      <div className="editor-choices">
        {!isGone && conflict.text !== undefined && (
          <>
            <Button size="xs" onClick={() => setIsCompared(!isCompared)} aria-expanded={isCompared}>
              {say('editor.compare')}
            </Button>
            <Button size="xs" onClick={editing.takeDisk}>
              {say('editor.takeDisk')}
            </Button>
          </>
        )}
        <Button size="xs" onClick={editing.keepMine}>
          {say(isGone ? 'editor.createAgain' : 'editor.keepMine')}
        </Button>
      </div>
      {isCompared && conflict.text !== undefined && (
        <div className="editor-compared">
          <Diff
            before={conflict.text}
            after={buffer.state.sliceDoc()}
            label={say('editor.compared')}
            language={languageOf(path)}
          />
        </div>
      )}
    </div>
  );
}

interface ToolsProps {
  editing: Editing;
  run: (command: (view: EditorView) => boolean) => void;
  done: () => void;
}

function Tools({ editing, run, done }: ToolsProps) {
  const { say } = useWords();
  const key = isMac ? '⌘' : 'Ctrl ';
  const { isDirty, isSaving } = editing;
  const tools = [
    { icon: Search, label: say('files.find'), keys: `${key}F`, act: () => run(openSearchPanel) },
    { icon: CornerDownRight, label: say('files.goTo'), keys: 'Ctrl G', act: () => run(gotoLine) },
  ];
  return (
    <div className="editor-tools" role="toolbar" aria-label={say('editor.tools')}>
      <span className="muted small" role="status">
        {say(isSaving ? 'editor.saving' : isDirty ? 'editor.unsaved' : 'editor.saved')}
      </span>
      {tools.map(({ icon: Icon, label, keys, act }) => (
        <button
          key={label}
          type="button"
          className="icon-button"
          aria-label={label}
          title={`${label} (${keys})`}
          onClick={act}
        >
          <Icon size={14} aria-hidden />
        </button>
      ))}
      <WrapButton />
      <Button size="xs" onClick={done}>
        {say('editor.done')}
      </Button>
      <Button
        size="xs"
        variant="filled"
        leftSection={<Save size={14} aria-hidden />}
        title={`${say('act.save')} (${key}S)`}
        disabled={!isDirty}
        loading={isSaving}
        onClick={editing.save}
      >
        {say('act.save')}
      </Button>
    </div>
  );
}

interface FileEditorProps {
  sessionId: string;
  path: string;
  line: number | undefined;
  /** Leaves the editor; asks first if there are unsaved changes. */
  done: () => void;
}

/** A text file in an editor: saved on request, never over a version that was not seen. */
export function FileEditor({ sessionId, path, line, done }: FileEditorProps) {
  const { say } = useWords();
  const editing = useEditing(sessionId, path);
  const isWrapped = useCodeWrap();
  const phrases = usePhrases();
  const view = useRef<EditorView>(undefined);
  const onView = useCallback((next: EditorView | undefined) => {
    view.current = next;
  }, []);
  const run = (command: (editor: EditorView) => boolean) => {
    if (view.current) command(view.current);
  };
  const { buffer } = editing;
  if (editing.isNotText)
    return (
      <Empty
        icon={<FileQuestionMark size={20} />}
        title={say('editor.notText')}
        action={<Button onClick={editing.close}>{say('editor.done')}</Button>}
      >
        {say('editor.notText.why')}
      </Empty>
    );
  if (!buffer) return editing.error ? <Failure error={editing.error} retry={editing.retry} /> : <Loading lines={12} />;
  return (
    <div className="file-editor">
      <Tools editing={editing} run={run} done={done} />
      <Conflict editing={editing} path={path} />
      {editing.saveError !== null && editing.saveError !== undefined && (
        <Failure error={editing.saveError} retry={editing.save} />
      )}
      <CodeEditor
        path={path}
        buffer={buffer}
        onState={editing.onState}
        isWrapped={isWrapped}
        phrases={phrases}
        line={line}
        onView={onView}
      />
    </div>
  );
}
