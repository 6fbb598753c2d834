import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CornerLeftUp, Download, GitFork, PanelRight, Pencil, Settings2, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { NameInput } from '../../parts/name-input.tsx';
import { SessionMark } from '../../parts/session-mark.tsx';
import { Failure } from '../../parts/states.tsx';
import { isLive, stateOf } from '../../session/session-state.ts';
import { toggleColumn } from '../../shell/layout.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { useSessionActions } from '../../shell/session-actions.ts';
import { useIsColumnShown } from '../../shell/side-column.tsx';
import { isProcessLive, processesQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

function Name({ name, rename }: { name: string; rename: (name: string) => void }) {
  const { say } = useWords();
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) {
    return (
      <NameInput
        name={name}
        label={say('session.rename')}
        done={(chosen) => {
          setIsEdited(false);
          if (chosen !== undefined) rename(chosen);
        }}
      />
    );
  }
  return (
    <h1 className="session-name">
      <button type="button" onClick={() => setIsEdited(true)} title={say('session.rename')}>
        <span className="session-name-text">{name}</span>
        <Pencil size={12} aria-hidden />
      </button>
    </h1>
  );
}

function Tool(props: { label: string; icon: ReactNode; act: () => void; className?: string }) {
  return (
    <ActionIcon aria-label={props.label} title={props.label} onClick={props.act} className={props.className ?? ''}>
      {props.icon}
    </ActionIcon>
  );
}

/** Shows or hides the inspector; with the number of running commands, which it lists. */
function InspectorButton({ sessionId }: { sessionId: string }) {
  const { say, number } = useWords();
  const isShown = useIsColumnShown('right');
  const running = (useQuery(processesQuery(sessionId)).data?.processes ?? []).filter(isProcessLive).length;
  const label = running > 0 ? say('session.inspector.running', { count: running }) : say('session.inspector');
  return (
    <ActionIcon
      className="inspector-toggle"
      aria-label={label}
      title={label}
      aria-expanded={isShown}
      onClick={() => toggleColumn('right')}
    >
      <PanelRight size={16} />
      {running > 0 && <span className="count tabular">{number(running)}</span>}
    </ActionIcon>
  );
}

export function SessionHeader({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const acts = useSessionActions(row);
  return (
    <>
      <div className="session-head">
        {row.parentId && (
          <Link
            className="icon-button"
            to={`/sessions/${row.parentId}`}
            aria-label={say('session.parent')}
            title={say('session.parent')}
          >
            <CornerLeftUp size={14} aria-hidden />
          </Link>
        )}
        <SessionMark state={stateOf(row)} isWorded />
        <Name name={acts.name} rename={acts.rename} />
        <div className="session-tools">
          <Tool
            label={say('session.settings')}
            icon={<Settings2 size={16} />}
            act={() => openOverlay({ kind: 'sessionSettings', sessionId: row.sessionId })}
          />
          {row.isConcluded && (
            <Tool label={say('session.fork')} icon={<GitFork size={16} />} act={acts.fork} className="only-roomy" />
          )}
          <Tool label={say('session.export')} icon={<Download size={16} />} act={acts.export} className="only-roomy" />
          {!isLive(row) && (
            <Tool label={say('session.delete')} icon={<Trash2 size={16} />} act={acts.remove} className="only-roomy" />
          )}
          <InspectorButton sessionId={row.sessionId} />
        </div>
      </div>
      {acts.error && <Failure error={acts.error} />}
    </>
  );
}
