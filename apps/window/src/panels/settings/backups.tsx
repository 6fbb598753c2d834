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

const PERIODS = ['mai', 'giornaliera', 'settimanale'] as const;
const MOST = 999;

/** Settings → Backups: when the running server makes them, and how the last one went. */
export function Backups() {
  const query = useQuery(backupQuery);
  return (
    <Answer query={query} lines={5}>
      {(backup) => (
        <div className="form">
          <LastBackup backup={backup} />
          <ScheduleForm key={[backup.frequenza, backup.cartella, backup.conserva].join('|')} backup={backup} />
        </div>
      )}
    </Answer>
  );
}

function LastBackup({ backup }: { backup: BackupSchedule }) {
  const { say, date } = useWords();
  const client = useQueryClient();
  const start = useMutation({ mutationFn: startBackup, onSuccess: (now) => showBackups(client, now) });
  const { ultimoAlle, errore, inCorso } = backup;
  return (
    <section className="field" aria-label={say('backups.last')}>
      <p className="small muted">{say('backups.why')}</p>
      <p role="status">
        {inCorso
          ? say('backups.running')
          : ultimoAlle === null
            ? say('backups.none')
            : say('backups.done', { date: date(ultimoAlle) })}
      </p>
      {errore && !inCorso && (
        <p className="warning" role="alert">
          {errore.codice === 'SCHEDULE_DAMAGED'
            ? say('backups.damaged')
            : say('backups.failed', { date: date(errore.alle), code: errore.codice })}
        </p>
      )}
      <div>
        <Button variant="default" loading={inCorso || start.isPending} onClick={() => start.mutate()}>
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
    frequenza: backup.frequenza,
    cartella: backup.cartella,
    conserva: backup.conserva,
  }));
  const save = useMutation({ mutationFn: scheduleBackups, onSuccess: (now) => showBackups(client, now) });
  const isOn = draft.frequenza !== 'mai';
  const isValid = draft.cartella.trim() !== '' && draft.conserva >= 1 && draft.conserva <= MOST;
  const isChanged = (Object.keys(draft) as (keyof BackupChoice)[]).some((name) => draft[name] !== backup[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ ...draft, cartella: draft.cartella.trim() });
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
              checked={draft.frequenza === period}
              onChange={() => setDraft({ ...draft, frequenza: period })}
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
              value={draft.cartella}
              onChange={(event) => setDraft({ ...draft, cartella: event.currentTarget.value })}
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
              value={Number.isNaN(draft.conserva) ? '' : draft.conserva}
              onChange={(event) => setDraft({ ...draft, conserva: event.currentTarget.valueAsNumber })}
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
