import { ActionIcon } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, PanelRight, Pencil, Settings2, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { SessionMark } from '../../parts/session-mark.tsx';
import { Failure } from '../../parts/states.tsx';
import { isLive, stateOf } from '../../session/session-state.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { address, readBlob, send } from '../../wire/call.ts';
import { sessionsQuery, useSessionAct } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

const LONGEST_NAME = 80;

function Name({ name, rename }: { name: string; rename: (name: string) => void }) {
  const { say } = useWords();
  const [draft, setDraft] = useState<string>();
  const save = () => {
    const chosen = draft?.trim() ?? '';
    setDraft(undefined);
    if (chosen !== '' && chosen !== name) rename(chosen);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') {
      event.stopPropagation();
      setDraft(undefined);
    }
  };
  if (draft !== undefined) {
    return (
      <input
        className="session-name-input"
        autoFocus
        aria-label={say('session.rename')}
        maxLength={LONGEST_NAME}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={save}
        onKeyDown={press}
      />
    );
  }
  return (
    <h1 className="session-name">
      <button type="button" onClick={() => setDraft(name)} title={say('session.rename')}>
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

export function SessionHeader({ row, showInspector }: { row: SessionRow; showInspector: () => void }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const rename = useSessionAct<{ nome: string }>(row.sessionId, 'rename');
  const name = (rename.isPending ? rename.variables.nome : row.nome) ?? say('session.untitled');
  const save = useMutation({ mutationFn: () => exportSession(row.sessionId, name) });
  const error = rename.error ?? save.error;
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('session.delete.title', { name }),
      text: say('session.delete.text'),
      act: say('act.delete'),
      isDangerous: true,
      run: async () => {
        await send(address(['sessions', row.sessionId, 'delete']));
        await navigate('/');
        await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      },
    });
  return (
    <>
      <div className="session-head">
        <SessionMark state={stateOf(row)} isWorded />
        <Name name={name} rename={(nome) => rename.mutate({ nome })} />
        <div className="session-tools">
          <Tool
            label={say('session.settings')}
            icon={<Settings2 size={16} />}
            act={() => openOverlay({ kind: 'sessionSettings', sessionId: row.sessionId })}
          />
          <Tool label={say('session.export')} icon={<Download size={16} />} act={() => save.mutate()} />
          {!isLive(row) && <Tool label={say('session.delete')} icon={<Trash2 size={16} />} act={remove} />}
          <Tool
            label={say('session.inspector')}
            icon={<PanelRight size={16} />}
            act={showInspector}
            className="only-narrow"
          />
        </div>
      </div>
      {error && <Failure error={error} />}
    </>
  );
}

/** Hands the person the whole session as one file, without leaving the page. Throws WireError. */
async function exportSession(sessionId: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await readBlob(address(['sessions', sessionId, 'export'])));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || sessionId}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
