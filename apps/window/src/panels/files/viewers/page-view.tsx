import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { HeldPage } from '../../../parts/held-page.tsx';
import { Answer } from '../../../parts/states.tsx';
import { useWords } from '../../../words/words.ts';
import { pageQuery } from '../queries.ts';

interface PageProps {
  sessionId: string;
  path: string;
  /** Version of the folder: a change reloads the page. */
  version: number;
}

/** A page of the folder with the files beside it. */
export function PageView({ sessionId, path, version }: PageProps) {
  const query = useQuery(pageQuery(sessionId, path));
  return (
    <Answer query={query} lines={12}>
      {(url) => <SandboxedPage name={path} url={url} version={version} />}
    </Answer>
  );
}

/** A sandboxed page: it has an opaque origin, and can access only its own files. */
export function SandboxedPage({ name, url, version = 0 }: { name: string; url: string; version?: number }) {
  const { say } = useWords();
  const [again, setAgain] = useState(0);
  return (
    <div className="page-view">
      <div className="piece-bar small">
        <button type="button" className="text-button" onClick={() => setAgain(again + 1)}>
          <RotateCw size={14} aria-hidden /> {say('files.page.again')}
        </button>
        <span className="muted">{say('files.page.boxed')}</span>
      </div>
      <HeldPage key={`${version} ${again}`} className="file-frame" title={name} url={url} />
    </div>
  );
}
