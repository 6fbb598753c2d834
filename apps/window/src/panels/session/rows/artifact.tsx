import type { ArtifactItem } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { AppWindow, Maximize2, Minimize2 } from 'lucide-react';
import { useState } from 'react';
import { HeldPage } from '../../../parts/held-page.tsx';
import { api } from '../../../wire/client.ts';
import { useWords } from '../../../words/words.ts';

/** A page created by the agent. It is sandboxed: no network, no files, no access to this window. */
export function Artifact({ item }: { item: ArtifactItem }) {
  const { say } = useWords();
  const [isTall, setIsTall] = useState(false);
  const url = api.address('get', '/artifacts/{artifactId}', { path: { artifactId: item.key } });
  // A frame cannot detect that its page is gone: the server stores them in memory only.
  const found = useQuery({
    queryKey: ['artifact', item.key],
    queryFn: async () => (await api.fetch('get', '/artifacts/{artifactId}', { path: { artifactId: item.key } })).blob(),
    retry: false,
  });
  const Size = isTall ? Minimize2 : Maximize2;
  const word = say(isTall ? 'artifact.smaller' : 'artifact.larger');
  return (
    <figure className="artifact" data-tall={isTall || undefined}>
      <figcaption className="artifact-head">
        <AppWindow size={14} className="muted" aria-hidden />
        <span className="artifact-name">{item.title}</span>
        {found.isSuccess && (
          <button
            type="button"
            className="icon-button"
            aria-label={word}
            title={word}
            onClick={() => setIsTall(!isTall)}
          >
            <Size size={14} aria-hidden />
          </button>
        )}
      </figcaption>
      {found.isError && <p className="muted small artifact-gone">{say('artifact.gone')}</p>}
      {found.isSuccess && <HeldPage url={url} title={item.title} />}
    </figure>
  );
}
