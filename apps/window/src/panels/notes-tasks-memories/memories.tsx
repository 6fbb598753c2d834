import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Brain, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Answer, Empty, Failure } from '../../parts/states.tsx';
import { useDeletedNotice } from '../../parts/use-deleted-notice.tsx';
import {
  changeMemory,
  createMemory,
  deleteMemory,
  MEMORY_KINDS,
  type Memory,
  type MemoryFields,
  memoriesQuery,
  PAGE,
  refreshRecords,
} from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { MemoryForm } from './memory-form.tsx';

function MemoryRow({ memory, remove }: { memory: Memory; remove: () => void }) {
  const { say, ago } = useWords();
  const client = useQueryClient();
  const [isEdited, setIsEdited] = useState(false);
  const save = useMutation({
    mutationFn: (fields: MemoryFields) => changeMemory(memory.id, fields),
    onSuccess: () => setIsEdited(false),
    onSettled: () => refreshRecords(client, 'memory'),
  });
  if (isEdited) {
    return (
      <li>
        <MemoryForm
          first={memory}
          isBusy={save.isPending}
          error={save.error}
          save={(fields) => save.mutate(fields)}
          close={() => setIsEdited(false)}
        />
      </li>
    );
  }
  return (
    <li className="memory">
      <div className="memory-body">
        <p className="memory-title">
          {memory.title} <span className="muted small tabular">{ago(memory.updatedAt)}</span>
        </p>
        <p className="memory-text">{memory.content}</p>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={say('records.memory.edit', { name: memory.title })}
        title={say('records.memory.edit', { name: memory.title })}
        onClick={() => setIsEdited(true)}
      >
        <Pencil size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={say('records.memory.remove', { name: memory.title })}
        title={say('records.memory.remove', { name: memory.title })}
        onClick={remove}
      >
        <Trash2 size={14} aria-hidden />
      </button>
    </li>
  );
}

function NewMemory({ close }: { close: () => void }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [twin, setTwin] = useState<Memory>();
  const create = useMutation({
    mutationFn: createMemory,
    onSuccess({ memory, isDuplicate }) {
      if (isDuplicate) setTwin(memory);
      else close();
    },
    onSettled: () => refreshRecords(client, 'memory'),
  });
  return (
    <>
      <MemoryForm
        isBusy={create.isPending}
        error={create.error}
        save={(fields) => create.mutate(fields)}
        close={close}
      />
      {twin && (
        <p role="alert" className="small">
          {say('records.memory.duplicate', { name: twin.title })} {twin.content}
        </p>
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly Memory[];
  isSearch: boolean;
  remove: (memory: Memory) => void;
}

/** Grouped by kind, each with a description. */
function Kinds({ rows, isSearch, remove }: RowsProps) {
  const { say } = useWords();
  if (rows.length === 0 && isSearch) return <p className="muted records-none">{say('records.nothing')}</p>;
  if (rows.length === 0) {
    return (
      <Empty icon={<Brain size={20} aria-hidden />} title={say('records.memory.none')}>
        {say('records.memory.why')}
      </Empty>
    );
  }
  return MEMORY_KINDS.map((kind) => {
    const members = rows.filter((memory) => memory.kind === kind);
    if (members.length === 0) return null;
    return (
      <section key={kind} className="memory-kind" aria-label={say(`records.kind.${kind}`)}>
        <h2>{say(`records.kind.${kind}`)}</h2>
        <ul>
          {members.map((memory) => (
            <MemoryRow key={memory.id} memory={memory} remove={() => remove(memory)} />
          ))}
        </ul>
      </section>
    );
  });
}

export function Memories({ text }: { text: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [most, setMost] = useState(PAGE);
  const [isNew, setIsNew] = useState(false);
  const query = useQuery(memoriesQuery({ text, most }));
  const { line, tell } = useDeletedNotice();
  const remove = useMutation({
    mutationFn: (memory: Memory) => deleteMemory(memory.id),
    onSuccess: (_gone, { title, content, kind }) =>
      tell({
        text: say('records.memory.removed', { name: title }),
        undo: async () => {
          await createMemory({ title, content, kind });
          await refreshRecords(client, 'memory');
        },
      }),
    onSettled: () => refreshRecords(client, 'memory'),
  });
  return (
    <div className="memories">
      {isNew ? (
        <NewMemory close={() => setIsNew(false)} />
      ) : (
        <div>
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setIsNew(true)}>
            {say('records.memory.new')}
          </Button>
        </div>
      )}
      {remove.error && <Failure error={remove.error} />}
      <Answer query={query} lines={6}>
        {({ rows, isCut }) => (
          <>
            <Kinds rows={rows} isSearch={text.trim() !== ''} remove={(memory) => remove.mutate(memory)} />
            {isCut && (
              <button type="button" className="nav-more" onClick={() => setMost(most + PAGE)}>
                {say('records.more')}
              </button>
            )}
          </>
        )}
      </Answer>
      {line}
    </div>
  );
}
