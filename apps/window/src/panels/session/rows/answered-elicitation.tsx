import type { ElicitationItem } from '@fucina/conversation';
import { Plug } from 'lucide-react';
import { useWords } from '../../../words/words.ts';

/** That a server asked, and whether it was answered; never the answer. */
export function AnsweredElicitation({ item }: { item: ElicitationItem }) {
  const { say } = useWords();
  if (item.state === 'waiting') return null;
  return (
    <p className="answered-ask muted">
      <Plug size={14} aria-hidden />{' '}
      {say(`elicit.${item.sampling ? 'sampling.' : ''}${item.state}.done`, { name: item.server })}
    </p>
  );
}
