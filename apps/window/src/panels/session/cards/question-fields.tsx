import type { Question } from '@fucina/conversation';
import { useId, useState } from 'react';
import {
  MAX_ANSWER,
  MAX_NOTE,
  pickFreeText,
  pickOption,
  type QuestionDraft,
} from '../../../session/question-answer.ts';
import { useWords } from '../../../words/words.ts';

interface QuestionFieldsProps {
  question: Question;
  draft: QuestionDraft;
  change: (draft: QuestionDraft) => void;
  canSkip: boolean;
}

function Options({ question, draft, change }: QuestionFieldsProps) {
  const { say } = useWords();
  const name = useId();
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const [looked, setLooked] = useState<string>();
  const options = question.options ?? [];
  const shown = options.find(({ label }) => label === (looked ?? draft.picked.at(-1))) ?? options[0];
  return (
    <div className="question-choices" data-previewed={options.some(({ preview }) => preview) || undefined}>
      <div className="question-options">
        {options.map(({ label, description, recommended }) => (
          <label key={label} className="option" onMouseEnter={() => setLooked(label)}>
            <input
              type={type}
              name={name}
              checked={draft.picked.includes(label)}
              onFocus={() => setLooked(label)}
              onChange={() => change(pickOption(question, draft, label))}
            />
            <span>
              <span className="option-name">{label}</span>
              {recommended && <span className="tag accent"> {say('question.recommended')}</span>}
              {description && <span className="option-why">{description}</span>}
            </span>
          </label>
        ))}
        <div className="option">
          <input
            id={`${name}-free`}
            type={type}
            name={name}
            checked={draft.isFree}
            aria-label={say('question.free')}
            onChange={() => change(pickFreeText(question, draft))}
          />
          <input
            className="input"
            aria-label={say('question.free')}
            placeholder={say('question.free')}
            maxLength={MAX_ANSWER}
            value={draft.free}
            onChange={(event) =>
              change({ ...(draft.isFree ? draft : pickFreeText(question, draft)), free: event.currentTarget.value })
            }
          />
        </div>
      </div>
      {shown?.preview && (
        <pre className="question-preview" aria-label={say('question.preview', { name: shown.label })} tabIndex={0}>
          {shown.preview}
        </pre>
      )}
    </div>
  );
}

function Note({ draft, change }: Pick<QuestionFieldsProps, 'draft' | 'change'>) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
        {say('question.note.add')}
      </button>
    );
  }
  return (
    <input
      className="input"
      autoFocus
      aria-label={say('question.note')}
      placeholder={say('question.note')}
      maxLength={MAX_NOTE}
      value={draft.note}
      onChange={(event) => change({ ...draft, note: event.currentTarget.value })}
    />
  );
}

/** One question: options, free answer, note, and skip. */
export function QuestionFields(props: QuestionFieldsProps) {
  const { question, draft, change, canSkip } = props;
  const { say } = useWords();
  const id = useId();
  return (
    <fieldset className="question" data-skipped={draft.isSkipped || undefined} aria-describedby={`${id}-why`}>
      <legend>
        {question.header && <span className="question-head">{question.header}</span>}
        {question.question}
      </legend>
      {question.why && (
        <p id={`${id}-why`} className="muted small">
          {question.why}
        </p>
      )}
      {question.options ? (
        <Options {...props} />
      ) : (
        <textarea
          className="input question-words"
          rows={2}
          aria-label={question.question}
          maxLength={MAX_ANSWER}
          value={draft.free}
          onChange={(event) => change({ ...draft, free: event.currentTarget.value, isSkipped: false })}
        />
      )}
      <div className="question-foot">
        <Note draft={draft} change={change} />
        {canSkip && (
          <label className="question-skip">
            <input
              type="checkbox"
              checked={draft.isSkipped}
              onChange={(event) => change({ ...draft, isSkipped: event.currentTarget.checked })}
            />
            {say('question.skip')}
          </label>
        )}
      </div>
    </fieldset>
  );
}
