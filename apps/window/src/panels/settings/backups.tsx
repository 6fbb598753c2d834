import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import {
  type BackupChoice,
  type BackupSchedule,
  backupQuery,
  scheduleBackups,
  showBackups,
  startBackup,
} from '../../wire/backups.ts';
import { useWords } from '../../words/words.ts';

const PERIODS = ['never', 'daily', 'weekly'] as const;
const MOST = 999;

/** Settings → Backups: when the running server makes them, and how the last one went. */
export function Backups() {
  const query = useQuery(backupQuery);
  return (
    <Answer query={query} lines={5}>
      {(backup) => (
        <div className="form">
          <LastBackup backup={backup} />
          <ScheduleForm key={[backup.frequency, backup.folder, backup.keep].join('|')} backup={backup} />
        </div>
      )}
    </Answer>
  );
}

function LastBackup({ backup }: { backup: BackupSchedule }) {
  const { say, date } = useWords();
  const client = useQueryClient();
  const start = useMutation({ mutationFn: startBackup, onSuccess: (now) => showBackups(client, now) });
  const { lastAt, error, isRunning } = backup;
  return (
    <section className="field" aria-label={say('backups.last')}>
      <p className="small muted">{say('backups.why')}</p>
      <p role="status">
        {isRunning
          ? say('backups.running')
          : lastAt === null
            ? say('backups.none')
            : say('backups.done', { date: date(lastAt) })}
      </p>
      {error && !isRunning && (
        <p className="warning" role="alert">
          {error.code === 'SCHEDULE_DAMAGED'
            ? say('backups.damaged')
            : say('backups.failed', { date: date(error.at), code: error.code })}
        </p>
      )}
      <div>
        <Button variant="default" loading={isRunning || start.isPending} onClick={() => start.mutate()}>
          {say('backups.now')}
        </Button>
      </div>
      {start.error && <Failure error={start.error} />}
    </section>
  );
}

function ScheduleForm({ backup }: { backup: BackupSchedule }) {
  const { say } = useWords();
  const client = useQueryClient();
  const id = useId();
  const [draft, setDraft] = useState<BackupChoice>(() => ({
    frequency: backup.frequency,
    folder: backup.folder,
    keep: backup.keep,
  }));
  const save = useMutation({ mutationFn: scheduleBackups, onSuccess: (now) => showBackups(client, now) });
  const isOn = draft.frequency !== 'never';
  const isValid = draft.folder.trim() !== '' && draft.keep >= 1 && draft.keep <= MOST;
  const isChanged = (Object.keys(draft) as (keyof BackupChoice)[]).some((name) => draft[name] !== backup[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ ...draft, folder: draft.folder.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <fieldset className="field">
        <legend className="field-label">{say('backups.when')}</legend>
        {PERIODS.map((period) => (
          <label key={period} className="switch">
            <input
              type="radio"
              name={`${id}-when`}
              checked={draft.frequency === period}
              onChange={() => setDraft({ ...draft, frequency: period })}
            />
            <span className="level-name">{say(`backups.when.${period}`)}</span>
          </label>
        ))}
      </fieldset>
      {isOn && (
        <>
          <div className="field">
            <label className="field-label" htmlFor={`${id}-folder`}>
              {say('backups.folder')}
            </label>
            <input
              id={`${id}-folder`}
              className="input"
              autoComplete="off"
              spellCheck={false}
              value={draft.folder}
              onChange={(event) => setDraft({ ...draft, folder: event.currentTarget.value })}
            />
            <p className="small muted">{say('backups.folder.why')}</p>
          </div>
          <div className="field">
            <label className="field-label" htmlFor={`${id}-keep`}>
              {say('backups.keep')}
            </label>
            <input
              id={`${id}-keep`}
              className="input tabular"
              type="number"
              min={1}
              max={MOST}
              value={Number.isNaN(draft.keep) ? '' : draft.keep}
              onChange={(event) => setDraft({ ...draft, keep: event.currentTarget.valueAsNumber })}
            />
          </div>
        </>
      )}
      <div>
        <Button type="submit" disabled={!isValid || !isChanged} loading={save.isPending}>
          {say('act.save')}
        </Button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
