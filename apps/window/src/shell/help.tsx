import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Markdown } from '../parts/markdown.tsx';
import { Failure } from '../parts/states.tsx';
import { api } from '../wire/client.ts';

import { useWords } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';

const LONGEST_QUESTION = 500;

/** The built-in help: searches its pages without a model. */
export function Help() {
  const { say } = useWords();
  const [question, setQuestion] = useState('');
  const ask = useMutation({ mutationFn: (query: string) => api.post('/help', { body: { query } }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim() !== '') ask.mutate(question.trim());
  };
  return (
    <Modal
      opened
      size={640}
      onClose={closeOverlay}
      title={say('help.title')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <form className="help-ask" onSubmit={submit}>
        <input
          className="input"
          data-autofocus
          aria-label={say('help.question')}
          placeholder={say('help.question')}
          maxLength={LONGEST_QUESTION}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" loading={ask.isPending} disabled={question.trim() === ''}>
          {say('help.ask')}
        </Button>
      </form>
      <p className="muted small">{say('help.why')}</p>
      {ask.error && <Failure error={ask.error} />}
      {ask.data && (
        <div className="help-answer" role="status">
          <Markdown text={ask.data.answer} />
          {ask.data.sources.length > 0 && (
            <ul className="help-sources small muted" aria-label={say('help.sources')}>
              {ask.data.sources.map(({ title, section, path }) => (
                <li key={`${path} ${section}`}>
                  {title} › {section}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Modal>
  );
}
