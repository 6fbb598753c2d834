import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { CodeLines, languageOf } from '../../parts/code.tsx';
import { CopyButton } from '../../parts/ref.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { Tree } from '../../parts/tree.tsx';
import type { Conversation } from '../../session/conversation.ts';
import { usePicked } from '../../session/use-session.tsx';
import { address } from '../../wire/call.ts';
import { fileQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';

const filesVersionOf = (conversation: Conversation) => conversation.filesVersion;

function FileView({ sessionId, path }: { sessionId: string; path: string }) {
  const { bytes, say } = useWords();
  const query = useQuery(fileQuery(sessionId, path));
  return (
    <section className="file-view" aria-label={path}>
      <header className="file-head">
        <span className="path">
          <bdi>{path}</bdi>
        </span>
        {query.data && <span className="muted tabular">{bytes(query.data.dimensione)}</span>}
        {query.data && <CopyButton value={query.data.contenuto} />}
        <a
          className="icon-button"
          href={address(['sessions', sessionId, 'file'], { percorso: path })}
          download
          aria-label={say('files.download')}
          title={say('files.download')}
        >
          <Download size={14} aria-hidden />
        </a>
      </header>
      <Answer query={query} lines={12}>
        {(file) => (
          <pre className="file-text" tabIndex={0}>
            <CodeLines code={file.contenuto} language={languageOf(path)} isNumbered />
          </pre>
        )}
      </Answer>
    </section>
  );
}

/** The folder of the session and the file that is open; which one is in the address. */
export function FilesPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const [search, setSearch] = useSearchParams();
  const client = useQueryClient();
  const version = usePicked(filesVersionOf);
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['tree', 'sessions', sessionId] });
    void client.invalidateQueries({ queryKey: ['file', sessionId] });
  }, [client, sessionId, version]);
  const path = search.get('file') ?? undefined;
  return (
    <div className="files" data-open={path ? true : undefined}>
      <div className="files-tree">
        <Tree
          owner="sessions"
          id={sessionId}
          label={say('session.files')}
          selected={path}
          choose={(file) => setSearch({ file })}
        />
      </div>
      {path ? (
        <FileView sessionId={sessionId} path={path} />
      ) : (
        <Empty icon={<FileText size={20} />} title={say('files.choose')}>
          {say('files.choose.why')}
        </Empty>
      )}
    </div>
  );
}
