import type { UserItem } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { Images } from '../../../parts/images.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useAutoGrow } from '../../../parts/use-auto-grow.ts';
import { useWords } from '../../../words/words.ts';
import { editOf, setEdit } from './edits.ts';
import { continuation, useBranch, useChangedSince } from './use-branches.tsx';
import '../../../styles/branches.css';

interface EditMessageProps {
  item: UserItem;
  reference: string;
  close: () => void;
}

/** Edits a message of the user. Enter sends it, Esc leaves it as it was. */
export function EditMessage({ item, reference, close }: EditMessageProps) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const [text, setText] = useState(() => editOf(sessionId, reference) ?? item.text);
  const box = useAutoGrow(text);
  const branch = useBranch(sessionId);
  const changed = useChangedSince(item.turn);
  useEffect(() => {
    const element = box.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [box]);

  const leave = () => {
    setEdit(sessionId, reference);
    close();
  };
  const canSend = text.trim() !== '' && !branch.isPending;
  const send = (restoresFiles: boolean) => {
    if (!canSend) return;
    const body = { ...continuation(reference, text, item.images), restoresFiles };
    branch.mutate(body, { onSuccess: leave });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(false);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      leave();
    }
  };
  return (
    <div className="user-message edit-message">
      <textarea
        ref={box}
        rows={1}
        value={text}
        aria-label={say('branch.edit.label')}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setEdit(sessionId, reference, value);
        }}
        onKeyDown={press}
      />
      {item.images.length > 0 && <Images images={item.images} />}
      <p className="muted small">
        {say('branch.edit.why')}
        {changed > 0 && ` ${say('restore.since', { count: changed })}.`}
      </p>
      {branch.error && <Failure error={branch.error} />}
      <div className="edit-message-foot">
        <Button onClick={leave} disabled={branch.isPending}>
          {say('act.cancel')}
        </Button>
        {changed > 0 && (
          <Button disabled={!canSend} onClick={() => send(true)}>
            {say('branch.sendAndRestore')}
          </Button>
        )}
        <Button variant="filled" loading={branch.isPending} disabled={!canSend} onClick={() => send(false)}>
          {say('branch.send')}
        </Button>
      </div>
    </div>
  );
}
