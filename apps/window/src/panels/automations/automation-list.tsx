import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router';
import { scheduleSummary } from '../../parts/schedule-words.ts';
import { Answer, Empty } from '../../parts/states.tsx';
import { inboxQuery } from '../../wire/automation-inbox.ts';
import { type AnyAutomation, automationsQuery, isCurrent, toggleAutomation } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';
import { RunMark } from './run-mark.tsx';
import { RunRow } from './run-row.tsx';
import { useAction } from './use-action.ts';

function Row({ record }: { record: AnyAutomation }) {
  const words = useWords();
  const { say, date } = words;
  const { act, isBusy } = useAction();
  return (
    <li className="automation-row">
      <Link to={`/automations/${record.id}`} className="automation-link">
        <span className="automation-name">{record.name}</span>
        <span className="small muted">{scheduleSummary(record, words)}</span>
      </Link>
      {isCurrent(record) && record.runningTurn && <RunMark state="started" />}
      <span className="small muted tabular automation-next">
        {record.nextRunAt ? say('automation.next', { at: date(record.nextRunAt) }) : ''}
      </span>
      <label className="automation-switch small">
        <input
          type="checkbox"
          role="switch"
          aria-label={say('automation.isOn', { name: record.name })}
          checked={record.isOn}
          disabled={isBusy}
          onChange={() => act(() => toggleAutomation(record.id, !record.isOn))}
        />
        {say(record.isOn ? 'automation.on' : 'automation.off')}
      </label>
    </li>
  );
}

export function AutomationList() {
  const { say } = useWords();
  const query = useQuery(automationsQuery);
  return (
    <Answer query={query} lines={6}>
      {(records) =>
        records.length === 0 ? (
          <Empty
            icon={<CalendarClock size={20} aria-hidden />}
            title={say('automation.none')}
            action={<Link to="/automations/new">{say('automation.new')}</Link>}
          >
            {say('automation.none.why')}
          </Empty>
        ) : (
          <ul className="automation-rows">
            {records.map((record) => (
              <Row key={record.id} record={record} />
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

/** Unread results of runs. */
export function Inbox() {
  const { say } = useWords();
  const query = useQuery(inboxQuery);
  return (
    <Answer query={query} lines={6}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={<CalendarClock size={20} aria-hidden />} title={say('automation.inbox.none')}>
            {say('automation.inbox.none.why')}
          </Empty>
        ) : (
          <ul className="automation-runs">
            {rows.map((run) => (
              <RunRow
                key={run.runId}
                automationId={run.automation.id}
                run={run}
                name={
                  <Link className="automation-name" to={`/automations/${run.automation.id}`}>
                    {run.automation.name}
                  </Link>
                }
              />
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
