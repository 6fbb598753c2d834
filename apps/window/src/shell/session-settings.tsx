import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ModelName } from '../parts/model-name.tsx';
import { EffortSelect, LevelCards, ToolTable } from '../parts/permissions.tsx';
import { Failure } from '../parts/states.tsx';
import { isLive } from '../session/session-state.ts';
import { api } from '../wire/client.ts';
import { sessionsQuery, useSessionAction, useSettings } from '../wire/queries.ts';
import { EFFORTS, REASONING_SUMMARIES } from '../wire/records.ts';
import { commandSettingsQuery } from '../wire/session-details.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay, openOverlay } from './overlay-state.ts';
import { SessionNetwork } from './session-network.tsx';

interface SwitchProps {
  label: string;
  why: string;
  isOn: boolean;
  isDisabled?: boolean;
  change: (isOn: boolean) => void;
}

function Switch({ label, why, isOn, isDisabled = false, change }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <span>
        <span className="level-name">{label}</span>
        <span className="level-why">{why}</span>
      </span>
    </label>
  );
}

/** Whether the model is told about the user's `!` commands. */
function ReportedCommands({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const query = commandSettingsQuery(sessionId);
  const settings = useQuery(query);
  const tell = useSessionAction((body: { isOn: boolean }) =>
    api.post('/sessions/{sessionId}/commands-in-conversation', { path: { sessionId }, body }),
  );
  const isOn = tell.isPending ? tell.variables.isOn : (settings.data?.reportsCommands ?? false);
  return (
    <>
      <Switch
        label={say('settings.report-commands')}
        why={say('settings.report-commands.why')}
        isOn={isOn}
        isDisabled={!settings.data}
        change={(isOn) =>
          tell.mutate({ isOn }, { onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }) })
        }
      />
      {(settings.error ?? tell.error) && <Failure error={settings.error ?? tell.error} />}
    </>
  );
}

/** Permissions and model of one session. Each choice takes effect at once. */
export function SessionSettings({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery);
  const settings = useSettings(sessionId);
  const row = sessions.data?.find((candidate) => candidate.sessionId === sessionId);
  if (!row) return null;
  const { mutate } = settings;
  const summary = REASONING_SUMMARIES.find((candidate) => candidate === row.reasoning?.summary);
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
            onClick={() => openOverlay({ kind: 'model', value: row.model ?? '', choose: (model) => mutate({ model }) })}
          >
            <ModelName id={row.model} />
          </button>
        </div>
        <EffortSelect
          model={row.model ?? ''}
          value={EFFORTS.find((effort) => effort === row.reasoning?.effort)}
          choose={(effort) => effort && mutate({ reasoning: { effort, ...(summary ? { summary } : {}) } })}
        />
        <Switch
          label={say('settings.planMode')}
          why={say(isLive(row) ? 'settings.planMode.later' : 'settings.planMode.why')}
          isOn={row.mode === 'plan'}
          isDisabled={isLive(row)}
          change={(isPlanning) => mutate({ mode: isPlanning ? 'plan' : 'normal' })}
        />
        <ReportedCommands sessionId={sessionId} />
        <SessionNetwork sessionId={sessionId} />
        <LevelCards value={row.permissions} choose={(permissions) => mutate({ permissions })} />
        <ToolTable
          value={row.toolPermissions ?? {}}
          choose={(toolPermissions) => mutate({ toolPermissions })}
          canClear={false}
        />
      </div>
    </Drawer>
  );
}
