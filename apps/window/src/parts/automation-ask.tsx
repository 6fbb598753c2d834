import type { ToolAction } from '@fucina/conversation';
import { cleanText } from '@fucina/conversation/clean-text';
import '../styles/automations.css';
import { TriangleAlert } from 'lucide-react';
import type { Schedule } from '../wire/automations.ts';
import { isWordKey, useWords, type WordKey, type Words } from '../words/words.ts';
import { scheduleWords } from './schedule-words.ts';

/** A readable title for an automation request, because the tool's name is not. */
export function AutomationTitle({ action }: { action: ToolAction }) {
  const { say } = useWords();
  const key = `automation.ask.${action.kind.slice('automation_'.length)}`;
  return isWordKey(key) ? say(key) : action.kind;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The fields of the automation page, with their labels. */
function factsOf(action: ToolAction, words: Words): [name: WordKey, value: string | undefined][] {
  const { say } = words;
  const level = textOf(action.permissions);
  const levelKey = `level.${level}`;
  return [
    ['automation.field.name', textOf(action.name)],
    ['automation.field.when', action.schedule ? scheduleWords(action.schedule as Schedule, words) : undefined],
    ['automation.field.zone', textOf(action.timeZone)],
    ['automation.field.folder', textOf(action.folder)],
    ['automation.field.level', isWordKey(levelKey) ? say(levelKey) : level],
    ['automation.field.model', textOf(action.model)],
    ['automation.field.repeats', textOf(action.repeats)],
  ];
}

function Warnings({ action }: { action: ToolAction }) {
  const { say } = useWords();
  const { oltre = [], threats = [] } = (action.warnings ?? {}) as { oltre?: string[]; threats?: string[] };
  const keys = [
    ...oltre.map((code) => `automation.beyond.${code}`),
    ...threats.map((code) => `automation.threat.${code}`),
  ];
  if (keys.length === 0) return null;
  return (
    <ul className="automation-threats" aria-label={say('automation.threats')}>
      {keys.map((key) => (
        <li key={key} className="warning small">
          <TriangleAlert size={14} aria-hidden />
          {isWordKey(key) ? say(key) : key}
        </li>
      ))}
    </ul>
  );
}

/** Exactly what would be created, changed, activated or run, and how it exceeds this conversation. */
export function AutomationAsk({ action }: { action: ToolAction }) {
  const words = useWords();
  const { say } = words;
  const instructions = textOf(action.instructions);
  return (
    <div className="ask-action">
      <Warnings action={action} />
      <dl className="automation-facts">
        {factsOf(action, words).map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name} className="automation-fact">
                <dt className="small muted">{say(name)}</dt>
                <dd>{cleanText(value)}</dd>
              </div>
            ),
        )}
      </dl>
      {instructions !== undefined && <p className="automation-instructions">{cleanText(instructions)}</p>}
    </div>
  );
}
