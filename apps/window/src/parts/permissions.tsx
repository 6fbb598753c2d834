import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { levelsSent } from '../wire/effort-levels.ts';
import { catalogQuery } from '../wire/models.ts';
import {
  EFFORTS,
  type Effort,
  GATED_TOOLS,
  type GatedTool,
  PERMISSION_LEVELS,
  type PermissionLevel,
  TOOL_CHOICES,
  type ToolChoice,
  type ToolChoices,
} from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { toolLabels } from './tool-words.ts';
import { useLevelChoice } from './use-level-choice.ts';

/** The four levels, each with a description. */
export function LevelCards(props: { value: string; choose: (level: PermissionLevel) => unknown }) {
  const { say } = useWords();
  const name = useId();
  const pick = useLevelChoice(props.choose);
  return (
    <fieldset className="levels">
      <legend className="field-label">{say('new.permissions')}</legend>
      {PERMISSION_LEVELS.map((level) => (
        <label key={level} className="level" data-chosen={props.value === level || undefined}>
          <input type="radio" name={name} checked={props.value === level} onChange={() => pick(level)} />
          <span>
            <span className="level-name">{say(`level.${level}`)}</span>
            <span className="level-why">{say(`level.${level}.why`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ToolRow(props: {
  tool: GatedTool;
  value: ToolChoice | undefined;
  choose: (choice: ToolChoice | '') => void;
  canClear: boolean;
}) {
  const { say } = useWords();
  const id = useId();
  return (
    <div className="tool-choice">
      <label htmlFor={id}>{say(toolLabels(props.tool).name)}</label>
      <select
        id={id}
        className="chip"
        value={props.value ?? ''}
        onChange={(event) => props.choose(event.currentTarget.value as ToolChoice | '')}
      >
        {(props.canClear || props.value === undefined) && <option value="">{say('choice.asSession')}</option>}
        {TOOL_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {say(`choice.${choice}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/**
 * Per-tool permissions, which override the level. In a running session the last one cannot be cleared: `canClear` is
 * false.
 */
export function ToolTable(props: { value: ToolChoices; choose: (choices: ToolChoices) => void; canClear: boolean }) {
  const { say } = useWords();
  return (
    <fieldset className="tool-choices">
      <legend className="field-label">{say('new.tools')}</legend>
      <p className="muted small">{say('new.tools.why')}</p>
      {GATED_TOOLS.map((tool) => (
        <ToolRow
          key={tool}
          tool={tool}
          value={props.value[tool]}
          canClear={props.canClear || Object.keys(props.value).length > 1}
          choose={(choice) => {
            const { [tool]: _, ...rest } = props.value;
            props.choose(choice === '' ? rest : { ...rest, [tool]: choice });
          }}
        />
      ))}
    </fieldset>
  );
}

interface EffortSelectProps {
  /** Empty for the server's default. */
  model: string;
  value: Effort | undefined;
  choose: (effort: Effort | undefined) => void;
}

/** Reasoning effort; for a model with fewer levels, shows which one is sent instead. */
export function EffortSelect(props: EffortSelectProps) {
  const { say } = useWords();
  const id = useId();
  const catalog = useQuery(catalogQuery);
  const sent = catalog.data && levelsSent(catalog.data, props.model);
  const wordsOf = (effort: Effort): string => {
    const asked = say(`effort.${effort}`);
    const level = sent?.[effort];
    if (level === null) return say('effort.notSent', { asked });
    const known = EFFORTS.find((candidate) => candidate === level);
    return known && known !== effort ? say('effort.sentAs', { asked, sent: say(`effort.${known}`) }) : asked;
  };
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('new.reasoning')}
      </label>
      <select
        id={id}
        className="input-button"
        value={props.value ?? ''}
        onChange={(event) => props.choose(EFFORTS.find((effort) => effort === event.currentTarget.value))}
      >
        <option value="">{say('effort.default')}</option>
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {wordsOf(effort)}
          </option>
        ))}
      </select>
    </div>
  );
}
