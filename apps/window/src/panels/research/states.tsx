import {
  CircleCheck,
  CircleDot,
  CirclePause,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  FileX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Scale,
  ShieldX,
} from 'lucide-react';
import type { Balance, ResearchState, Verdict } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';

type Tone = 'live' | 'success' | 'warning' | 'danger' | 'muted';

const STATES: Record<ResearchState, [icon: LucideIcon, tone: Tone]> = {
  running: [LoaderCircle, 'live'],
  paused: [CirclePause, 'warning'],
  done: [CircleCheck, 'success'],
  cancelled: [CircleSlash, 'muted'],
  failed: [CircleX, 'danger'],
  'no-report': [FileX, 'warning'],
  'blocked-by-permission': [ShieldX, 'warning'],
  'step-limit': [Hourglass, 'warning'],
};

/** State of a research run: icon and label. */
export function StateMark({ state }: { state: ResearchState }) {
  const { say } = useWords();
  const [Icon, tone] = STATES[state];
  return (
    <span className="run-mark small" data-tone={tone}>
      <Icon size={14} className={state === 'running' ? 'spin' : undefined} aria-hidden />
      {say(`research.state.${state}`)}
    </span>
  );
}

const VERDICTS: Record<Verdict, { icon: LucideIcon; tone: Tone; count: Exclude<keyof Balance, 'total'> }> = {
  supported: { icon: CircleCheck, tone: 'success', count: 'supported' },
  partly: { icon: CircleDot, tone: 'warning', count: 'partlySupported' },
  unsupported: { icon: CircleX, tone: 'danger', count: 'unsupported' },
  contested: { icon: Scale, tone: 'warning', count: 'contested' },
  unverified: { icon: CircleQuestionMark, tone: 'muted', count: 'unverified' },
};
export const VERDICT_NAMES = Object.keys(VERDICTS) as Verdict[];

/** Result of a claim's check: icon and label. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { say } = useWords();
  const { icon: Icon, tone } = VERDICTS[verdict];
  return (
    <span className="run-mark small" data-tone={tone}>
      <Icon size={14} aria-hidden />
      {say(`research.verdict.${verdict}`)}
    </span>
  );
}

/** How many claims are supported, as a bar and as text. */
export function BalanceBar({ balance, isShort = false }: { balance: Balance; isShort?: boolean }) {
  const { say } = useWords();
  const parts = VERDICT_NAMES.map((verdict) => ({
    verdict,
    count: balance[VERDICTS[verdict].count],
  })).filter(({ count }) => count > 0);
  const words = parts.map(({ verdict, count }) => say(`research.count.${verdict}`, { count })).join(', ');
  return (
    <div className="research-balance" data-short={isShort || undefined}>
      <div className="research-bar" aria-hidden>
        {parts.map(({ verdict, count }) => (
          <span key={verdict} data-verdict={verdict} style={{ flexGrow: count }} />
        ))}
      </div>
      <span className="small muted tabular">
        {isShort
          ? say('research.balance.short', { count: balance.supported, of: balance.total })
          : say('research.balance', { claims: say('research.claims', { count: balance.total }), words })}
      </span>
    </div>
  );
}
