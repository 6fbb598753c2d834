import '../../../styles/rows.css';
import type { Item } from '@fucina/conversation';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { withWords } from '../../../words/words.ts';
import { AnsweredPlan, AnsweredQuestion } from './answered.tsx';
import { Artifact } from './artifact.tsx';
import { Command } from './command.tsx';
import { Compaction, Fallback, Mode } from './notices.tsx';

const AnsweredElicitation = lazyPart(
  async () => (await withWords(import('./answered-elicitation.tsx'))).AnsweredElicitation,
);

const Outcome = lazyPart(async () => (await withWords(import('../../../parts/workflow-card.tsx'))).OutcomeCard);

/** Rows that only some conversations have. */
export function OtherRow({ item }: { item: Item }) {
  switch (item.kind) {
    case 'question':
      return <AnsweredQuestion item={item} />;
    case 'plan':
      return <AnsweredPlan item={item} />;
    case 'elicitation':
      return <AnsweredElicitation item={item} />;
    case 'workflow':
      return <Outcome item={item} />;
    case 'command':
      return <Command item={item} />;
    case 'artifact':
      return <Artifact item={item} />;
    case 'compaction':
      return <Compaction item={item} />;
    case 'fallback':
      return <Fallback item={item} />;
    case 'mode':
      return <Mode item={item} />;
    default:
      return null;
  }
}
