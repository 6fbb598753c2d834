import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';
import type { FolderChoice } from './choices.ts';

/** An exported session (JSON) as a new one of the chosen folder. */
export function ImportSession({ folder }: { folder: FolderChoice | undefined }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const read = useMutation({
    mutationFn: async (file: File) => {
      if (!folder) throw new Error('no folder was chosen');
      const place = 'projectId' in folder ? { projectId: folder.projectId } : { freeFolder: folder.path };
      const document = parsed(await file.text());
      return api.post('/ext/sessions/import', { body: { ...place, document } });
    },
    onSuccess: async ({ sessionId }) => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(`/sessions/${sessionId}`);
    },
  });
  return (
    <section className="new-import" aria-label={say('import.title')}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<FileUp size={14} aria-hidden />}
        disabled={!folder}
        loading={read.isPending}
        onClick={() => input.current?.click()}
      >
        {say('import.act')}
      </Button>
      <span className="small muted">{say(folder ? 'import.why' : 'import.folder')}</span>
      <input
        ref={input}
        className="unseen"
        type="file"
        tabIndex={-1}
        aria-hidden
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) read.mutate(file);
        }}
      />
      {read.error && <Failure error={read.error} />}
    </section>
  );
}

/** What is no JSON is refused by the server, like any other text that is no export. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
