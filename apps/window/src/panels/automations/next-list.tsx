import { isZone } from '@fucina/conversation/schedule';
import { useMemo } from 'react';
import { now } from '../../ambient.ts';
import { formatDate } from '../../parts/schedule-words.ts';
import type { Schedule } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';
import { nextDates } from './next-dates.ts';

const SHOWN = 5;

/** The next five times, in the automation's time zone. */
export function NextList({ schedule, zone }: { schedule: Schedule; zone: string }) {
  const { say, language } = useWords();
  const dates = useMemo(
    () => (isZone(zone) ? nextDates(schedule, zone, { now: now(), count: SHOWN }) : []),
    [schedule, zone],
  );
  if (schedule.kind === 'manual') return <p className="small muted">{say('automation.dates.manual')}</p>;
  if (!dates) return <p className="small muted">{say('automation.dates.unread')}</p>;
  if (dates.length === 0) return <p className="small muted">{say('automation.dates.none')}</p>;
  return (
    <ol className="automation-dates small tabular" aria-label={say('automation.dates')}>
      {dates.map((at) => (
        <li key={at}>{formatDate(at, zone, language)}</li>
      ))}
    </ol>
  );
}
