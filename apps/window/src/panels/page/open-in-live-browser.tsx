import { MonitorPlay } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useWords } from '../../words/words.ts';

/** A button to open the page in the live browser. */
export function OpenInLiveBrowser({ url }: { url: string }) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  return (
    <button type="button" className="chip" onClick={() => setSearch({ url, live: 'open' })}>
      <MonitorPlay size={14} aria-hidden /> {say('page.live')}
    </button>
  );
}
