import { ChevronDown, SquareArrowOutUpRight, SquareTerminal } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useNavigate, useParams } from 'react-router';
import { readStored, writeStored } from '../../ambient.ts';
import { Menu } from '../../parts/menu.tsx';
import { useWords } from '../../words/words.ts';
import { typeInNextTerminal } from '../terminal/first-input.ts';
import { EDITOR_NAMES, EDITORS, type Editor, editorAddress, isEditor, terminalEditorLine } from './editors.ts';

const STORAGE_KEY = 'editor';
const listeners = new Set<() => void>();
let chosen = readStored(STORAGE_KEY, isEditor);

function choose(editor: Editor): void {
  chosen = editor;
  writeStored(STORAGE_KEY, editor);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A link to the file in the editor that was chosen last, and the others, which the page opens; or $EDITOR in a new
 * terminal of the session.
 */
export function OpenInEditor({ folder, path, line }: { folder: string; path: string; line: number }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const { sessionId = '' } = useParams();
  const inTerminal = terminalEditorLine(folder, path);
  const editor = useSyncExternalStore(subscribe, () => chosen);
  const nameIn = (one: Editor) => say('review.openIn', { name: EDITOR_NAMES[one] });
  return (
    <span className="open-in">
      {editor && (
        <a
          className="icon-button"
          href={editorAddress(editor, folder, { path, line })}
          aria-label={`${nameIn(editor)}: ${path}`}
          title={nameIn(editor)}
        >
          <SquareArrowOutUpRight size={14} aria-hidden />
        </a>
      )}
      <Menu
        className="open-in-menu"
        label={say('review.openWith', { path })}
        icon={editor ? <ChevronDown size={14} aria-hidden /> : <SquareArrowOutUpRight size={14} aria-hidden />}
        entries={[
          ...EDITORS.map((one) => ({
            id: one,
            icon: <SquareArrowOutUpRight size={14} aria-hidden />,
            name: nameIn(one),
            href: editorAddress(one, folder, { path, line }),
            act: () => choose(one),
          })),
          ...(inTerminal === undefined
            ? []
            : [
                {
                  id: 'terminal',
                  icon: <SquareTerminal size={14} aria-hidden />,
                  name: say('review.openInTerminal'),
                  act: () => {
                    typeInNextTerminal(sessionId, inTerminal);
                    void navigate(`/sessions/${sessionId}/terminal?new=1`);
                  },
                },
              ]),
        ]}
      />
    </span>
  );
}
