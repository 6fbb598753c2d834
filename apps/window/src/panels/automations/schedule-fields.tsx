import { weekdayName } from '../../parts/schedule-words.ts';
import type { Schedule, ScheduleKind } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField, Field } from '../notes-tasks-memories/field.tsx';

const KINDS = [
  'daily',
  'weekdays',
  'weekly',
  'hourly',
  'every-minutes',
  'once',
  'cron',
  'manual',
] as const satisfies readonly ScheduleKind[];
const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '0'] as const;
const MORNING = '09:00';
const DAY_MS = 86_400_000;

/** Initial values of a schedule kind; the time of day is preserved. */
function begun(kind: ScheduleKind, before: Schedule, now: number): Schedule {
  const time = 'time' in before ? before.time : MORNING;
  switch (kind) {
    case 'manual':
      return { kind };
    case 'hourly':
      return { kind, minute: 0 };
    case 'daily':
    case 'weekdays':
      return { kind, time };
    case 'weekly':
      return { kind, time, day: 1 };
    case 'every-minutes':
      return { kind, minutes: 60 };
    case 'cron':
      return { kind, expression: '0 9 * * 1-5' };
    case 'once':
      return { kind, at: `${new Date(now + DAY_MS).toISOString().slice(0, 10)}T${time}` };
  }
}

interface FieldsProps {
  value: Schedule;
  change: (schedule: Schedule) => void;
  now: number;
}

function NumberField(props: {
  label: string;
  value: number;
  least: number;
  most: number;
  set: (value: number) => void;
}) {
  return (
    <Field label={props.label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="number"
          min={props.least}
          max={props.most}
          value={Number.isNaN(props.value) ? '' : props.value}
          onChange={(event) => props.set(event.currentTarget.valueAsNumber)}
        />
      )}
    </Field>
  );
}

function TimeField({ value, change }: TimeProps) {
  const { say } = useWords();
  return (
    <Field label={say('automation.field.time')}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="time"
          required
          value={value.time}
          onChange={(event) => change({ ...value, time: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}

interface TimeProps {
  value: Extract<Schedule, { time: string }>;
  change: (schedule: Schedule) => void;
}

function Details({ value, change }: Omit<FieldsProps, 'now'>) {
  const { say, language } = useWords();
  switch (value.kind) {
    case 'manual':
      return null;
    case 'hourly':
      return (
        <NumberField
          label={say('automation.field.minute')}
          value={value.minute}
          least={0}
          most={59}
          set={(minute) => change({ ...value, minute })}
        />
      );
    case 'every-minutes':
      return (
        <NumberField
          label={say('automation.field.minutes')}
          value={value.minutes}
          least={5}
          most={525_600}
          set={(minutes) => change({ ...value, minutes })}
        />
      );
    case 'daily':
    case 'weekdays':
      return <TimeField value={value} change={change} />;
    case 'weekly':
      return (
        <>
          <Field label={say('automation.field.day')}>
            {(id) => (
              <ChoiceField
                id={id}
                className="input"
                value={String(value.day) as (typeof WEEKDAYS)[number]}
                values={WEEKDAYS}
                nameOf={(day) => weekdayName(language, Number(day))}
                pick={(day) => change({ ...value, day: Number(day) })}
              />
            )}
          </Field>
          <TimeField value={value} change={change} />
        </>
      );
    case 'cron':
      return (
        <Field label={say('automation.field.cron')}>
          {(id) => (
            <input
              id={id}
              className="input code-input"
              value={value.expression}
              maxLength={200}
              onChange={(event) => change({ ...value, expression: event.currentTarget.value })}
            />
          )}
        </Field>
      );
    case 'once':
      return (
        <Field label={say('automation.field.at')}>
          {(id) => (
            <input
              id={id}
              className="input"
              type="datetime-local"
              required
              value={value.at}
              onChange={(event) => change({ ...value, at: event.currentTarget.value.slice(0, 16) })}
            />
          )}
        </Field>
      );
  }
}

/** The schedule kind and its fields. */
export function ScheduleFields({ value, change, now }: FieldsProps) {
  const { say } = useWords();
  return (
    <div className="automation-when">
      <Field label={say('automation.field.when')}>
        {(id) => (
          <ChoiceField
            id={id}
            className="input"
            value={value.kind}
            values={KINDS}
            nameOf={(kind) => say(`automation.kind.${kind}`)}
            pick={(kind) => change(begun(kind, value, now))}
          />
        )}
      </Field>
      <Details value={value} change={change} />
    </div>
  );
}
