import { MonitorPlay } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useWords } from '../../words/words.ts';

/** The way to the browser that the agent drives. */
export function OpenInLiveBrowser({ url }: { url: string }) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  return (
    <button type="button" className="chip" onClick={() => setSearch({ url, live: 'open' })}>
      <MonitorPlay size={14} aria-hidden /> {say('page.live')}
    </button>
  );
}
