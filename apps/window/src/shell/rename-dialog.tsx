import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Failure } from '../parts/states.tsx';
import { api } from '../wire/client.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';

const MAX_NAME = 80;

/** Renames a session from anywhere: in the list it is renamed in place. */
export function RenameDialog({ sessionId, name }: { sessionId: string; name: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState(name);
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const chosen = draft.trim();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === name) return closeOverlay();
    setState({ isBusy: true });
    try {
      await api.post('/sessions/{sessionId}/rename', { path: { sessionId }, body: { name: chosen } });
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      closeOverlay();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title={say('session.rename')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <form onSubmit={(event) => void save(event)}>
        <input
          className="input"
          data-autofocus
          aria-label={say('session.rename')}
          maxLength={MAX_NAME}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
        />
        {state.error !== undefined && <Failure error={state.error} />}
        <div className="dialog-foot">
          <Button onClick={closeOverlay}>{say('act.cancel')}</Button>
          <Button type="submit" variant="filled" disabled={chosen === ''} loading={state.isBusy}>
            {say('act.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
