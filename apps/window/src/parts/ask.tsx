import {
  askedOfServer,
  isControlFile,
  isHiddenRead,
  isNetwork,
  prefixText,
  projectRule,
  type ServerAnswer,
  serverAnswers,
  sessionCommands,
  type ToolAction,
} from '@fucina/conversation';
import { cleanText } from '@fucina/conversation/clean-text';
import { Button } from '@mantine/core';
import { ShieldQuestionMark } from 'lucide-react';
import { type ReactNode } from 'react';
import { isWholeTool } from '../wire/records.ts';
import { useWords, type WordKey, type Words, withWords } from '../words/words.ts';
import { ArgumentList } from './argument-list.tsx';
import { AskCard } from './ask-card.tsx';
import { askTitle } from './ask-title.ts';
import { Code, languageOf } from './code.tsx';
import { Diff } from './diff.tsx';
import { lazyPart } from './lazy-part.tsx';
import { useCardKeys } from './use-card-keys.ts';
import { type EndSeen, useEndSeen } from './use-end-seen.ts';

const AutomationAsk = lazyPart(async () => (await withWords(import('./automation-ask.tsx'))).AutomationAsk);
const AutomationTitle = lazyPart(async () => (await withWords(import('./automation-ask.tsx'))).AutomationTitle);
const isAutomation = ({ kind }: ToolAction): boolean => kind.startsWith('automation_');

export type AskAnswer = ServerAnswer | 'once' | 'session' | 'project' | 'everywhere' | 'folder' | 'path' | 'deny';

/** Already in the title. */
const OF_NETWORK = new Set(['host', 'port', 'program', 'tool']);

const KNOWN = new Set([
  'kind',
  'path',
  'command',
  'content',
  'oldText',
  'newText',
  'reason',
  'description',
  'prefixes',
  'asks',
  'patch',
  'parts',
]);

interface AskedActionProps {
  action: ToolAction;
  before: string | undefined;
  /** Set at the end of the command. */
  end: EndSeen['end'];
}

/** Exactly what will run or be written; a file is compared with its current text `before`, if it exists. */
function AskedAction({ action, before, end }: AskedActionProps) {
  const { say } = useWords();
  const rest = Object.entries(action).filter(
    ([name, value]) =>
      !KNOWN.has(name) &&
      !(isNetwork(action) && OF_NETWORK.has(name)) &&
      value !== null &&
      value !== undefined &&
      value !== false &&
      value !== '',
  );
  const isEdit = typeof action.oldText === 'string' && typeof action.newText === 'string';
  const edited = isEdit && before !== undefined ? editedText(before, action) : undefined;
  const after = edited ?? (isEdit || before === undefined ? undefined : action.content);
  const label = action.path ?? say('diff.label');
  const language = languageOf(action.path ?? '');
  return (
    <div className="ask-action">
      {action.command !== undefined && <Code code={action.command} language="bash" />}
      {action.command !== undefined && <span ref={end} className="ask-end" aria-hidden />}
      {typeof action.description === 'string' && action.description && (
        <p className="muted small">{say('ask.modelSays', { text: cleanText(action.description) })}</p>
      )}
      {typeof action.patch === 'string' && <Code code={action.patch} language="diff" />}
      {action.path && <code className="ask-path">{cleanText(action.path)}</code>}
      {typeof after === 'string' ? (
        <Diff before={before ?? ''} after={after} label={label} language={language} />
      ) : isEdit ? (
        <Diff isPiece before={action.oldText ?? ''} after={action.newText ?? ''} label={label} language={language} />
      ) : (
        typeof action.content === 'string' && <Code code={action.content} language={language} />
      )}
      {rest.length > 0 && <ArgumentList args={Object.fromEntries(rest)} />}
    </div>
  );
}

/** The file after the edit; undefined when the text is not found, as in a partly loaded file. */
function editedText(before: string, { oldText = '', newText = '', all }: ToolAction): string | undefined {
  const hasCrlf = before.includes('\r\n') && !before.includes(oldText);
  const [old, fresh] = hasCrlf
    ? [oldText, newText].map((text) => text.replaceAll(/\r?\n/g, '\r\n'))
    : [oldText, newText];
  if (!old || fresh === undefined || !before.includes(old)) return undefined;
  return all ? before.replaceAll(old, () => fresh) : before.replace(old, () => fresh);
}

/**
 * A tool without its own permission cannot be allowed in advance; a folder is offered if a path names it; a control
 * file asks each time until a rule allows it; a hidden path is allowed for the next commands.
 */
function answersTo(action: ToolAction): AskAnswer[] {
  const ofServer = serverAnswers(action);
  // The question about a whole server is asked one time: no answer to it is for this call alone.
  if (ofServer.length > 0) return [...(ofServer.includes('each') ? [] : (['once'] as const)), ...ofServer, 'deny'];
  const project = projectRule(action) === undefined ? [] : (['project'] as const);
  if (isControlFile(action)) return ['once', ...project, 'deny'];
  // The command has ended: it cannot be allowed once.
  if (isHiddenRead(action)) return ['session', ...project, 'deny'];
  const isGated = isNetwork(action) || sessionCommands(action) !== undefined || isWholeTool(action.kind);
  return [
    'once',
    ...(isGated ? (['session'] as const) : []),
    ...project,
    ...(isNetwork(action) ? (['everywhere'] as const) : []),
    ...(action.path || action.parts ? (['folder'] as const) : []),
    ...(action.path ? (['path'] as const) : []),
    'deny',
  ];
}

interface AskProps {
  action: ToolAction;
  /** The current content of the file to be written. */
  before?: string | undefined;
  isSending: boolean;
  answer: (answer: AskAnswer) => void;
  /** Number of further requests. */
  more: number;
  /** The asking session, if it is not the one on screen. */
  from?: ReactNode;
  failure?: ReactNode;
}

/** Answers with the same key are never on one card. */
const KEYS: Record<AskAnswer, string> = {
  once: '1',
  each: '1',
  session: '2',
  tool: '2',
  folder: '3',
  server: '3',
  path: '4',
  project: '5',
  everywhere: '6',
  deny: '0',
};
const LABELS: Record<AskAnswer, WordKey> = {
  once: 'ask.once',
  each: 'ask.server.each',
  tool: 'ask.server.tool',
  server: 'ask.server.all',
  session: 'ask.session',
  project: 'ask.project',
  everywhere: 'ask.everywhere',
  folder: 'ask.folder',
  path: 'ask.path',
  deny: 'ask.deny',
};

function answerLabel(answer: AskAnswer, action: ToolAction, say: Words['say']): string {
  const commands = answer === 'session' ? sessionCommands(action) : undefined;
  if (!commands) return say(LABELS[answer], { server: cleanText(String(action.server)) });
  return commands.length > 0
    ? say('ask.sessionCommand', { commands: cleanText(prefixText(commands)) })
    : say('ask.sessionLine');
}

/** The approval card. A single key answers it, unless the user is typing. */
export function Ask({ action, before, isSending, answer, more, from, failure }: AskProps) {
  const { say } = useWords();
  const answers = answersTo(action);
  const { end, isSeen, show } = useEndSeen(action.command !== undefined);
  const isFirst = (name: AskAnswer) => name === answers[0] && isSeen !== false;
  const { card, leave, choose } = useCardKeys<AskAnswer>({
    answerOf: (key) => answers.find((name) => KEYS[name] === key),
    answer: (name) => (isSeen || name === 'deny' ? answer(name) : show()),
    isSending,
  });

  return (
    <AskCard
      card={card}
      icon={ShieldQuestionMark}
      title={isAutomation(action) ? <AutomationTitle action={action} /> : askTitle(action, say)}
      from={from}
      more={more}
      press={leave}
    >
      {action.reason && <p className="warning">{isControlFile(action) ? say('ask.controlFile') : action.reason}</p>}
      {askedOfServer(action) === 'server' && <p className="small muted">{say('ask.server.why')}</p>}
      {isAutomation(action) ? (
        <AutomationAsk action={action} />
      ) : (
        <AskedAction action={action} before={before} end={end} />
      )}
      {failure}
      <div className="ask-answers" data-answers>
        {isSeen === false && (
          <Button variant="filled" onClick={show}>
            {say('ask.showEnd')}
          </Button>
        )}
        {answers.map((name) => (
          <Button
            key={name}
            variant={isFirst(name) ? 'filled' : 'default'}
            {...(isFirst(name) ? {} : { color: 'gray' })}
            disabled={isSending || (isSeen === false && name !== 'deny')}
            rightSection={<kbd className="key-hint">{KEYS[name]}</kbd>}
            aria-keyshortcuts={KEYS[name]}
            onClick={() => choose(name)}
          >
            {answerLabel(name, action, say)}
          </Button>
        ))}
      </div>
    </AskCard>
  );
}
