import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EffortSelect, LevelCards, ToolTable } from '../parts/permissions.tsx';
import { Failure } from '../parts/states.tsx';
import { sessionsQuery, useSettings } from '../wire/queries.ts';
import { EFFORTS, SUMMARIES } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay, openOverlay } from './overlay-state.ts';

/** What one session may do and with which model. Each choice is in force as soon as it is made. */
export function SessionSettings({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery);
  const settings = useSettings(sessionId);
  const row = sessions.data?.find((candidate) => candidate.sessionId === sessionId);
  if (!row) return null;
  const { mutate } = settings;
  const summary = SUMMARIES.find((candidate) => candidate === row.reasoning?.summary);
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      position="right"
      size={420}
      title={say('session.settings')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
      classNames={{ content: 'drawer', title: 'drawer-title' }}
    >
      <div className="form">
        {settings.error && <Failure error={settings.error} />}
        <div className="field">
          <span className="field-label">{say('new.model')}</span>
          <button
            type="button"
            className="input-button"
            onClick={() =>
              openOverlay({ kind: 'model', value: row.modello ?? '', choose: (modello) => mutate({ modello }) })
            }
          >
            {row.modello ?? say('model.default')}
          </button>
        </div>
        <EffortSelect
          value={EFFORTS.find((effort) => effort === row.reasoning?.effort)}
          choose={(effort) => effort && mutate({ reasoning: { effort, ...(summary ? { summary } : {}) } })}
        />
        <LevelCards value={row.permessi} choose={(permessi) => mutate({ permessi })} />
        <ToolTable
          value={row.permessiPerAttrezzo ?? {}}
          choose={(permessiPerAttrezzo) => mutate({ permessiPerAttrezzo })}
          canClear={false}
        />
      </div>
    </Drawer>
  );
}
