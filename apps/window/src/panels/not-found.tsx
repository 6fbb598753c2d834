import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../parts/states.tsx';
import { useWords } from '../words/words.ts';

export function NotFound() {
  const { say } = useWords();
  return (
    <main className="stage">
      <Empty
        isPage
        icon={<Compass size={20} />}
        title={say('not-found.title')}
        action={<Link to="/">{say('session.new')}</Link>}
      >
        {say('not-found.text')}
      </Empty>
    </main>
  );
}
