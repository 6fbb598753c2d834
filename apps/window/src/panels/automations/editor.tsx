import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Folder } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { now } from '../../ambient.ts';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { ModelName } from '../../parts/model-name.tsx';
import { Failure } from '../../parts/states.tsx';
import { useLevelChoice } from '../../parts/use-level-choice.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type Automation,
  type AutomationFields,
  changeAutomation,
  createAutomation,
  refreshAutomations,
} from '../../wire/automations.ts';
import { frequentQuery } from '../../wire/folders.ts';
import { PERMISSION_LEVELS } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField, Field } from '../notes-tasks-memories/field.tsx';
import { NextList } from './next-list.tsx';
import { ScheduleFields } from './schedule-fields.tsx';

const FolderPicker = lazyPart(async () => (await import('../new-session/folder-picker.tsx')).FolderPicker);

const EMPTY: AutomationFields = {
  name: '',
  instructions: '',
  folder: '',
  model: null,
  permissions: 'Workspace write',
  coordinates: false,
  schedule: { kind: 'daily', time: '09:00' },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  repeats: null,
};

function fieldsOf(record: Automation): AutomationFields {
  const { name, instructions, folder, model, permissions, coordinates, schedule, timeZone, repeats } = record;
  return { name, instructions, folder, model, permissions, coordinates, schedule, timeZone, repeats };
}

interface PartProps {
  fields: AutomationFields;
  change: (part: Partial<AutomationFields>) => void;
}

function Work({ fields, change, browse }: PartProps & { browse: () => void }) {
  const { say } = useWords();
  const folders = useQuery(frequentQuery);
  const list = useId();
  return (
    <>
      <Field label={say('automation.field.name')}>
        {(id) => (
          <input
            id={id}
            className="input"
            autoFocus
            required
            maxLength={80}
            value={fields.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={say('automation.field.instructions')}>
        {(id) => (
          <textarea
            id={id}
            className="input"
            rows={6}
            required
            maxLength={20_000}
            placeholder={say('automation.field.instructions.placeholder')}
            value={fields.instructions}
            onChange={(event) => change({ instructions: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={say('automation.field.folder')}>
        {(id) => (
          <div className="automation-folder">
            <input
              id={id}
              className="input code-input"
              list={list}
              required
              spellCheck={false}
              placeholder="/"
              value={fields.folder}
              onChange={(event) => change({ folder: event.currentTarget.value })}
            />
            <datalist id={list}>
              {folders.data?.map(({ path, label }) => (
                <option key={path} value={path} label={label} />
              ))}
            </datalist>
            <Button leftSection={<Folder size={14} aria-hidden />} onClick={browse}>
              {say('new.folder.choose')}
            </Button>
          </div>
        )}
      </Field>
    </>
  );
}

function Rights({ fields, change }: PartProps) {
  const { say } = useWords();
  const pickLevel = useLevelChoice((permissions) => change({ permissions }));
  return (
    <>
      <div className="automation-when">
        <Field label={say('automation.field.level')}>
          {(id) => (
            <ChoiceField
              id={id}
              className="input"
              value={fields.permissions}
              values={PERMISSION_LEVELS}
              nameOf={(level) => say(`level.${level}`)}
              pick={pickLevel}
            />
          )}
        </Field>
        <Field label={say('automation.field.model')}>
          {(id) => (
            <button
              id={id}
              type="button"
              className="input-button"
              onClick={() =>
                openOverlay({
                  kind: 'model',
                  value: fields.model ?? '',
                  choose: (model) => change({ model: model || null }),
                })
              }
            >
              <ModelName id={fields.model} />
            </button>
          )}
        </Field>
      </div>
      <p className="small muted">{say(`level.${fields.permissions}.why`)}</p>
      <label className="automation-check">
        <input
          type="checkbox"
          checked={fields.coordinates}
          onChange={() => change({ coordinates: !fields.coordinates })}
        />
        <span>
          {say('automation.field.agents')}
          <span className="small muted block">{say('automation.field.agents.why')}</span>
        </span>
      </label>
    </>
  );
}

function When({ fields, change }: PartProps) {
  const { say } = useWords();
  const [opened] = useState(now);
  const zones = useId();
  const isOnce = fields.schedule.kind === 'once';
  return (
    <>
      <ScheduleFields value={fields.schedule} change={(schedule) => change({ schedule })} now={opened} />
      <div className="automation-when">
        <Field label={say('automation.field.zone')}>
          {(id) => (
            <>
              <input
                id={id}
                className="input"
                list={zones}
                required
                value={fields.timeZone}
                onChange={(event) => change({ timeZone: event.currentTarget.value })}
              />
              <datalist id={zones}>
                {Intl.supportedValuesOf('timeZone').map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        {!isOnce && (
          <Field label={say('automation.field.repeats')}>
            {(id) => (
              <input
                id={id}
                className="input"
                type="number"
                min={1}
                placeholder={say('automation.field.repeats.ever')}
                value={fields.repeats ?? ''}
                onChange={(event) => {
                  const { valueAsNumber } = event.currentTarget;
                  change({ repeats: Number.isNaN(valueAsNumber) ? null : valueAsNumber });
                }}
              />
            )}
          </Field>
        )}
      </div>
      <NextList schedule={fields.schedule} zone={fields.timeZone} />
    </>
  );
}

/** Editing state, saving and closing; unsaved changes need a confirmation. */
function useEditing(record: Automation | undefined) {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [begun] = useState<AutomationFields>(() => (record ? fieldsOf(record) : EMPTY));
  const [fields, setFields] = useState(begun);
  const save = useMutation({
    mutationFn: () => (record ? changeAutomation(record.id, fields) : createAutomation(fields)),
    onSuccess: async ({ id }) => {
      await refreshAutomations(client);
      void navigate(`/automations/${id}`);
    },
  });
  const leave = () => void navigate(record ? `/automations/${record.id}` : '/automations');
  const askToLeave = () => {
    if (JSON.stringify(fields) === JSON.stringify(begun)) return leave();
    openOverlay({
      kind: 'confirm',
      title: say('automation.leave.ask'),
      text: say('automation.leave.why'),
      act: say('automation.leave'),
      isDangerous: true,
      run: async () => leave(),
    });
  };
  const change = (part: Partial<AutomationFields>) => setFields((was) => ({ ...was, ...part }));
  return { fields, change, save, leave, askToLeave };
}

/** Changes that could not be saved stay in the form; Esc closes it. */
export function AutomationEditor({ record }: { record?: Automation }) {
  const { say } = useWords();
  const { fields, change, save, leave, askToLeave } = useEditing(record);
  const [isPicking, setIsPicking] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') askToLeave();
  };
  return (
    <>
      <form className="form automation-form" onSubmit={submit} onKeyDown={press}>
        <h1>{record ? record.name : say('automation.new')}</h1>
        <Work fields={fields} change={change} browse={() => setIsPicking(true)} />
        <fieldset className="form">
          <legend className="field-label">{say('automation.part.when')}</legend>
          <When fields={fields} change={change} />
        </fieldset>
        <fieldset className="form">
          <legend className="field-label">{say('automation.part.rights')}</legend>
          <Rights fields={fields} change={change} />
        </fieldset>
        {save.error && <Failure error={save.error} />}
        <div className="automation-acts">
          <Button variant="filled" type="submit" loading={save.isPending}>
            {say('act.save')}
          </Button>
          <Button onClick={leave}>{say('act.cancel')}</Button>
        </div>
      </form>
      {/** Outside the form, so that its own Enter and Esc do not affect the form. */}
      {isPicking && (
        <FolderPicker
          choose={({ path }) => path !== undefined && change({ folder: path })}
          close={() => setIsPicking(false)}
        />
      )}
    </>
  );
}
