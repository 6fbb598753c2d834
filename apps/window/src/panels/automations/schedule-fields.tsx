import { weekdayName } from '../../parts/schedule-words.ts';
import type { Schedule, ScheduleKind } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField, Field } from '../notes-tasks-memories/field.tsx';

const KINDS = [
  'giornaliera',
  'feriali',
  'settimanale',
  'ogni-ora',
  'ogni-n-minuti',
  'una-volta',
  'cron',
  'manuale',
] as const satisfies readonly ScheduleKind[];
const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '0'] as const;
const MORNING = '09:00';
const DAY_MS = 86_400_000;

/** Initial values of a schedule kind; the time of day is preserved. */
function begun(tipo: ScheduleKind, before: Schedule, now: number): Schedule {
  const ora = 'ora' in before ? before.ora : MORNING;
  switch (tipo) {
    case 'manuale':
      return { tipo };
    case 'ogni-ora':
      return { tipo, minuto: 0 };
    case 'giornaliera':
    case 'feriali':
      return { tipo, ora };
    case 'settimanale':
      return { tipo, ora, giorno: 1 };
    case 'ogni-n-minuti':
      return { tipo, minuti: 60 };
    case 'cron':
      return { tipo, espressione: '0 9 * * 1-5' };
    case 'una-volta':
      return { tipo, quando: `${new Date(now + DAY_MS).toISOString().slice(0, 10)}T${ora}` };
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
          value={value.ora}
          onChange={(event) => change({ ...value, ora: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}

interface TimeProps {
  value: Extract<Schedule, { ora: string }>;
  change: (schedule: Schedule) => void;
}

function Details({ value, change }: Omit<FieldsProps, 'now'>) {
  const { say, language } = useWords();
  switch (value.tipo) {
    case 'manuale':
      return null;
    case 'ogni-ora':
      return (
        <NumberField
          label={say('automation.field.minute')}
          value={value.minuto}
          least={0}
          most={59}
          set={(minuto) => change({ ...value, minuto })}
        />
      );
    case 'ogni-n-minuti':
      return (
        <NumberField
          label={say('automation.field.minutes')}
          value={value.minuti}
          least={5}
          most={525_600}
          set={(minuti) => change({ ...value, minuti })}
        />
      );
    case 'giornaliera':
    case 'feriali':
      return <TimeField value={value} change={change} />;
    case 'settimanale':
      return (
        <>
          <Field label={say('automation.field.day')}>
            {(id) => (
              <ChoiceField
                id={id}
                className="input"
                value={String(value.giorno) as (typeof WEEKDAYS)[number]}
                values={WEEKDAYS}
                nameOf={(day) => weekdayName(language, Number(day))}
                pick={(day) => change({ ...value, giorno: Number(day) })}
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
              value={value.espressione}
              maxLength={200}
              onChange={(event) => change({ ...value, espressione: event.currentTarget.value })}
            />
          )}
        </Field>
      );
    case 'una-volta':
      return (
        <Field label={say('automation.field.at')}>
          {(id) => (
            <input
              id={id}
              className="input"
              type="datetime-local"
              required
              value={value.quando}
              onChange={(event) => change({ ...value, quando: event.currentTarget.value.slice(0, 16) })}
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
            value={value.tipo}
            values={KINDS}
            nameOf={(kind) => say(`automation.kind.${kind}`)}
            pick={(tipo) => change(begun(tipo, value, now))}
          />
        )}
      </Field>
      <Details value={value} change={change} />
    </div>
  );
}
