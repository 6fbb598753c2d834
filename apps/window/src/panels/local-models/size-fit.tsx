import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, MessageCircle } from 'lucide-react';
import { CHAT_CONTEXT_TOKENS, type Fit, fitQuery } from '../../wire/local-models.ts';
import { useWords, type Words } from '../../words/words.ts';

type Verdict = 'fits' | 'chat' | 'memory' | 'storage';

const ICONS = { fits: CircleCheck, chat: MessageCircle, memory: CircleSlash, storage: CircleSlash } as const;

/** Memory may be too small for long agent work but enough for a chat. */
function verdictOf(work: Fit, talk: Fit | undefined): Verdict | undefined {
  if (work.state === 'compatible') return 'fits';
  if (work.state !== 'blocked') return undefined;
  if (work.reason === 'storage') return 'storage';
  return talk?.state === 'compatible' ? 'chat' : 'memory';
}

function textOf(verdict: Verdict, { memory }: Fit, { say, bytes }: Words): string {
  const values = { needs: bytes(memory.requiredBytes), has: bytes(memory.availableBytes ?? 0) };
  return say(`localModel.fit.${verdict}`, values);
}

/** Whether a model of this size could run here, with its memory needs; empty if unknown. */
export function SizeFit({ bytes: size }: { bytes: number }) {
  const words = useWords();
  const work = useQuery(fitQuery(size)).data;
  const isShort = work?.state === 'blocked' && work.reason === 'memory';
  const talk = useQuery({ ...fitQuery(size, CHAT_CONTEXT_TOKENS), enabled: isShort }).data;
  const verdict = work && verdictOf(work, talk);
  if (!verdict || (isShort && !talk)) return null;
  const shown = verdict === 'chat' && talk ? talk : work;
  const text = textOf(verdict, shown, words);
  const { requiredBytes, availableBytes } = shown.memory;
  const share = Math.min(100, Math.round((requiredBytes / Math.max(1, availableBytes ?? 0)) * 100));
  const Icon = ICONS[verdict];
  return (
    <div className="model-fit" data-verdict={verdict}>
      <span className="small">
        <Icon size={12} aria-hidden /> {text}
      </span>
      <div
        className="model-track"
        role="meter"
        aria-label={words.say('localModel.fit.memoryBar')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={words.say('localModel.amount', {
          done: words.bytes(requiredBytes),
          of: words.bytes(availableBytes ?? 0),
        })}
      >
        <div className="model-fill" style={{ transform: `scaleX(${share / 100})` }} />
      </div>
    </div>
  );
}
