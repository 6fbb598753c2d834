import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../../styles/overlays.css';
import { Button, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { useFocusRestore } from '../../shell/focus-restore.ts';
import { TASK_PRIORITIES, type Task, type TaskFields } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField, Field } from './field.tsx';
import type { TaskActions } from './use-task-actions.ts';

interface TaskEditorProps {
  task: Task;
  acts: TaskActions;
  remove: () => void;
  close: () => void;
}

/** The form of one task. Changes that could not be saved stay in the form. */
export function TaskEditor({ task, acts, remove, close }: TaskEditorProps) {
  const { say } = useWords();
  useFocusRestore();
  const [fields, setFields] = useState<TaskFields>({
    title: task.title,
    description: task.description,
    priority: task.priority,
  });
  const [error, setError] = useState<unknown>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fields.title.trim()) return;
    acts.change(task, { ...fields, description: fields.description?.trim() || null }).then(close, setError);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={say('records.tasks.edit')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <form className="form" onSubmit={submit}>
        <Field label={say('records.tasks.title')}>
          {(id) => (
            <input
              id={id}
              className="input"
              data-autofocus
              maxLength={200}
              value={fields.title}
              onChange={(event) => setFields({ ...fields, title: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={say('records.tasks.description')}>
          {(id) => (
            <textarea
              id={id}
              className="input"
              rows={5}
              maxLength={2_000}
              value={fields.description ?? ''}
              onChange={(event) => setFields({ ...fields, description: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={say('records.priority')}>
          {(id) => (
            <ChoiceField
              id={id}
              className="input"
              value={fields.priority}
              values={TASK_PRIORITIES}
              nameOf={(priority) => say(`records.priority.${priority}`)}
              pick={(priority) => setFields({ ...fields, priority })}
            />
          )}
        </Field>
        {error !== undefined && <Failure error={error} />}
        <div className="records-acts">
          <Button variant="subtle" color="danger" onClick={remove}>
            {say('act.delete')}
          </Button>
          <Button variant="default" onClick={close}>
            {say('act.cancel')}
          </Button>
          <Button variant="filled" type="submit" disabled={!fields.title.trim()}>
            {say('act.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
