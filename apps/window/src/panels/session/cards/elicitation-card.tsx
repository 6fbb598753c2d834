import type { ElicitationItem } from '@fucina/conversation';
import { cleanText } from '@fucina/conversation/clean-text';
import { type Draft, type FormField, fieldsOf } from '@fucina/shared/form-fields';
import { Button } from '@mantine/core';
import { Plug } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { AskCard } from '../../../parts/ask-card.tsx';
import { CleanText } from '../../../parts/clean-text.tsx';
import { OutsideAnchor } from '../../../parts/outside-anchor.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useCardKeys } from '../../../parts/use-card-keys.ts';
import { contentOf, type Drafts, draftOf, inputTypeOf } from '../../../session/elicitation.ts';
import { answerElicitation, type ElicitationAnswer } from '../../../wire/extensions.ts';
import { useWords } from '../../../words/words.ts';
import { type AskedSession, useReply } from './use-reply.ts';

interface ElicitationCardProps {
  asked: AskedSession;
  item: ElicitationItem;
  more: number;
  from: ReactNode;
}

/** A question of an MCP server during a call, marked as the server's own words. */
export function ElicitationCard({ asked, item, more, from }: ElicitationCardProps) {
  const { say } = useWords();
  const [drafts, setDrafts] = useState<Drafts>({});
  const fields = fieldsOf(item.form);
  const reply = useReply(async (answer: ElicitationAnswer) => {
    await answerElicitation(asked.sessionId, item.key, answer);
  });
  const { card, leave, choose } = useCardKeys<ElicitationAnswer>({
    answerOf: () => undefined,
    answer: reply.mutate,
    isSending: reply.isPending,
  });
  const content = item.url === undefined ? contentOf(fields, drafts) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (content) choose(item.url === undefined ? { action: 'accept', content } : { action: 'accept' });
  };
  return (
    <AskCard
      card={card}
      icon={Plug}
      title={say(item.sampling ? 'elicit.sampling.title' : 'elicit.title', { name: item.server })}
      from={from}
      more={more}
      press={leave}
    >
      <form className="ask-form" onSubmit={submit}>
        <div className="ask-action" data-answers>
          <p className={`answered-words${item.sampling ? ' elicit-request' : ''}`}>
            <CleanText text={item.message} />
          </p>
          {item.url !== undefined && <Page url={item.url} />}
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              value={draftOf(field, drafts)}
              change={(value) => setDrafts((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          <p className="warning small">
            {item.sampling ? <SamplingWarning {...item.sampling} /> : say('elicit.warning')}
          </p>
        </div>
        {reply.error && <Failure error={reply.error} />}
        <div className="ask-answers">
          <Button type="submit" variant="filled" disabled={!content || reply.isPending}>
            {say(item.sampling ? 'elicit.sampling.allow' : item.url === undefined ? 'elicit.send' : 'elicit.opened')}
          </Button>
          <Button disabled={reply.isPending} onClick={() => choose({ action: 'decline' })}>
            {say('elicit.decline')}
          </Button>
          <Button variant="subtle" color="gray" disabled={reply.isPending} onClick={() => choose({ action: 'cancel' })}>
            {say('act.cancel')}
          </Button>
        </div>
      </form>
    </AskCard>
  );
}

function SamplingWarning({ model, maxTokens }: NonNullable<ElicitationItem['sampling']>) {
  const { say, number } = useWords();
  return say('elicit.sampling.warning', { model, tokens: number(maxTokens) });
}

/** The whole address is shown, so that the user knows the target. */
function Page({ url }: { url: string }) {
  const { say } = useWords();
  return (
    <p>
      {say('elicit.open')}{' '}
      <OutsideAnchor address={url} className="extension-command">
        {cleanText(url)}
      </OutsideAnchor>
    </p>
  );
}

interface FieldProps {
  field: FormField;
  value: Draft;
  change: (value: Draft) => void;
}

function Field({ field, value, change }: FieldProps) {
  const { say } = useWords();
  const id = useId();
  const { kind, isRequired } = field;
  const why = field.description && (
    <span id={`${id}-why`} className="muted small">
      <CleanText text={field.description} />
    </span>
  );
  const title = (
    <span>
      <CleanText text={field.title} /> {isRequired && <span className="muted small">({say('elicit.required')})</span>}
    </span>
  );
  if (kind === 'boolean') {
    return (
      <label className="option">
        <input type="checkbox" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        <span>
          <span className="option-name">
            <CleanText text={field.title} />
          </span>{' '}
          {why}
        </span>
      </label>
    );
  }
  if (kind === 'many') {
    return (
      <fieldset className="elicit-field elicit-many">
        <legend>{title}</legend>
        <Several field={field} places={Array.isArray(value) ? value : []} change={change} />
        {why}
      </fieldset>
    );
  }
  return (
    <label className="elicit-field">
      {title}
      <Control field={field} value={value} change={change} why={why ? `${id}-why` : undefined} />
      {why}
    </label>
  );
}

function Several({ field, places, change }: Omit<FieldProps, 'value'> & { places: readonly number[] }) {
  return field.choices.map(({ label }, place) => (
    <label key={label} className="option">
      <input
        type="checkbox"
        checked={places.includes(place)}
        onChange={(event) =>
          change(
            field.choices.flatMap((_choice, at) =>
              (at === place ? event.currentTarget.checked : places.includes(at)) ? [at] : [],
            ),
          )
        }
      />
      <span>
        <CleanText text={label} />
      </span>
    </label>
  ));
}

function Control({ field, value, change, why }: FieldProps & { why: string | undefined }) {
  const { say } = useWords();
  const described = { className: 'input', 'aria-describedby': why, required: field.isRequired };
  if (field.kind === 'one') {
    return (
      <select
        {...described}
        value={Array.isArray(value) ? String(value[0]) : ''}
        onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : [Number(currentTarget.value)])}
      >
        <option value="">{say('elicit.choose')}</option>
        {field.choices.map(({ label }, place) => (
          <option key={label} value={place}>
            {cleanText(label)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...described}
      type={inputTypeOf(field)}
      inputMode={field.kind === 'text' ? undefined : 'decimal'}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
