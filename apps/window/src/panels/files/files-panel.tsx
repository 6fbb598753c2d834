import { cleanText } from '@fucina/conversation/clean-text';
import '../../styles/files.css';
import '../../styles/viewers.css';
import { type Conversation, netChanges } from '@fucina/conversation';
import { FileText } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';
import { useUnsaved } from './editor/edits.ts';
import { FileTabs } from './file-tabs.tsx';
import { FileView } from './file-view.tsx';
import { FilesSide } from './files-side.tsx';
import { lastClosedFile } from './open-files.ts';
import { type FilesView, useFilesView } from './use-files-view.ts';

/** Alt W closes the current file, Alt Shift W reopens it: browsers reserve the Ctrl variants. */
function useTabKeys(view: FilesView): void {
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyW') return;
      event.preventDefault();
      const { place, close, reopen } = latest.current;
      if (event.shiftKey) reopen();
      else if (place.path !== undefined) close(place.path);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const MOST_CHANGED = 8;
const changesOf = ({ changes }: Conversation) => changes;

/** The files that the session changed and that still exist. */
function ChangedFiles({ show }: { show: (path: string) => void }) {
  const { say } = useWords();
  const id = useId();
  const changed = netChanges(useConversationFact(changesOf)).filter(({ after }) => after !== null);
  if (changed.length === 0) return null;
  return (
    <div>
      <p id={id} className="muted small">
        {say('files.changed')}
      </p>
      <ul className="empty-list" aria-labelledby={id}>
        {changed.slice(-MOST_CHANGED).map(({ path }) => (
          <li key={path}>
            <button type="button" className="text-button" onClick={() => show(path)}>
              {cleanText(path)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The session's folder with its open files; the current one is in the address. */
export function FilesPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const id = useId();
  const view = useFilesView(sessionId);
  useTabKeys(view);
  const unsaved = useUnsaved(sessionId);
  const { place, files } = view;
  const hasTabs = files.paths.length > 0 || lastClosedFile(files) !== undefined;
  return (
    <div className="files" data-open={place.path !== undefined || undefined}>
      <FilesSide view={view} />
      <div className="files-main">
        {hasTabs && (
          <FileTabs
            id={id}
            paths={files.paths}
            unsaved={unsaved}
            shown={place.path}
            show={place.show}
            close={view.close}
            reopenable={lastClosedFile(files)}
            reopen={view.reopen}
          />
        )}
        {place.path === undefined ? (
          <Empty icon={<FileText size={20} />} title={say('files.choose')} action={<ChangedFiles show={place.show} />}>
            {say('files.choose.why')}
          </Empty>
        ) : (
          <FileView key={place.path} id={id} view={view} path={place.path} />
        )}
      </div>
    </div>
  );
}
