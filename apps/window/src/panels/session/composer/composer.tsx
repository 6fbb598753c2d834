import type { Conversation } from '@fucina/conversation';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { afterPaintAnd } from '../../../ambient.ts';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useAutoGrow } from '../../../parts/use-auto-grow.ts';
import { useConversationFact } from '../../../session/use-session.tsx';
import { addToDraft, useDraft } from '../../../shell/drafts.ts';
import { isMac, usePageShortcut } from '../../../shell/shortcuts.ts';
import { useStop } from '../../../wire/queries.ts';
import { useWords, withWords } from '../../../words/words.ts';
import { Card } from '../pending.tsx';
import { AttachButton, SendButtons, StopButton } from './composer-buttons.tsx';
import { loadUploads, useAttachments } from './use-attachments.ts';
import { useHistory } from './use-history.ts';
import { MentionList, useMention } from './use-mention.tsx';
import { isUserCommand, type SendState, useSend } from './use-send.ts';
import { placeOf, type Slash, useSlash } from './use-slash.ts';

/** Loaded after the first paint. */
const PRELOAD_MS = 500;

const Attachments = lazyPart(async () => (await import('./attachments.tsx')).Attachments, { isQuiet: true });
const SlashList = lazyPart(async () => (await withWords(import('./slash-list.tsx'))).SlashList, { isQuiet: true });
const Queue = lazyPart(async () => (await import('./queue.tsx')).Queue);
const Prompts = lazyPart(async () => (await withWords(import('./prompts.tsx'))).Prompts, { isQuiet: true });
const Dictation = lazyPart(async () => (await withWords(import('./dictation.tsx'))).Dictation, { isQuiet: true });
const Improve = lazyPart(async () => (await import('./improve.tsx')).Improve, { isQuiet: true });

/** Whether the browser recognises speech. */
const hasDictation = 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis;

/** Commands that the window handles are not sent. */
function useWindowCommands(message: SendState, { text, setText }: WindowText): SendState {
  const navigate = useNavigate();
  const place = placeOf(text);
  if (place === undefined) return message;
  const leave = (): void => {
    setText('');
    void navigate(place);
  };
  return { ...message, send: leave };
}

interface WindowText {
  text: string;
  setText: (text: string) => void;
}

/** Writing needs the server as little as possible: what a letter may show is there before it is typed. */
function usePreloadedParts(): void {
  useEffect(
    () =>
      afterPaintAnd(PRELOAD_MS, () => {
        for (const part of [Attachments, SlashList, Queue, Improve, MentionList, Card]) part.preload();
        void loadUploads().catch(() => undefined);
      }),
    [],
  );
}

const isRunningNow = (conversation: Conversation) => conversation.isRunning;
const hasQueue = ({ queue }: Conversation) => queue.messages.length > 0;

/** The queue, and the message field. */
function Above({ sessionId, slash }: { sessionId: string; slash: Slash }) {
  const isQueueShown = useConversationFact(hasQueue);
  return (
    <>
      {isQueueShown && <Queue sessionId={sessionId} />}
      {slash.isOpen && <SlashList slash={slash} />}
    </>
  );
}

interface ComposerProps {
  sessionId: string;
  choices: ReactNode;
}

/**
 * The message field. Enter sends, or queues during a turn; Mod Enter then steers the turn. `!` runs a shell command,
 * `/` lists commands, `@` lists files, Esc stops.
 */
export function Composer({ sessionId, choices }: ComposerProps) {
  const { say } = useWords();
  const isRunning = useConversationFact(isRunningNow);
  const [text, setText] = useDraft(sessionId);
  const box = useAutoGrow(text);
  const attachments = useAttachments(sessionId, sessionId);
  const put = (value: string) => {
    setText(value);
    box.current?.focus();
  };
  const slash = useSlash(sessionId, text, put);
  const mention = useMention({ sessionId, text, setText, attach: attachments.addLate, box });
  const history = useHistory(text, setText);
  usePageShortcut(
    'message',
    useCallback(() => box.current?.focus(), [box]),
  );
  const stop = useStop(sessionId);
  const sending = useWindowCommands(useSend({ sessionId, text, attachments, isRunning }), { text, setText });
  const isCommand = isUserCommand(text);
  usePreloadedParts();

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || slash.press(event) || mention.press(event) || history(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      const isRedirect = (isMac ? event.metaKey : event.ctrlKey) && isRunning && !isCommand;
      sending.send(isRedirect ? 'redirect' : undefined);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isRunning) stop.mutate();
      else box.current?.blur();
    }
  };
  const failure = sending.error ?? stop.error;
  return (
    <div className="composer-frame" data-dragging={attachments.isDragging || undefined}>
      {failure && <Failure error={failure} />}
      <Above sessionId={sessionId} slash={slash} />
      {mention.list}
      <div className="composer" data-command={isCommand || undefined}>
        {attachments.all.length > 0 && (
          <Attachments attachments={attachments} insert={(words) => addToDraft(sessionId, words)} />
        )}
        <textarea
          ref={box}
          rows={1}
          value={text}
          aria-label={say('composer.label')}
          placeholder={say(isRunning ? 'composer.whileRunning' : 'composer.placeholder')}
          {...slash.attributes}
          onChange={(event) => setText(event.currentTarget.value)}
          onSelect={mention.look}
          onPaste={attachments.paste}
          onKeyDown={press}
        />
        {isCommand && <p className="composer-hint muted small">{say('composer.command.why')}</p>}
        <div className="composer-foot">
          <div className="composer-choices">
            <AttachButton attach={attachments.add} />
            <Prompts sessionId={sessionId} text={text} setText={put} />
            {hasDictation && <Dictation add={(words) => addToDraft(sessionId, words)} />}
            {/^\s*[^\s!/]/.test(text) && <Improve sessionId={sessionId} text={text} setText={setText} />}
            {choices}
          </div>
          <div className="composer-acts">
            {isRunning && <StopButton isStopping={stop.isPending} stop={() => stop.mutate()} />}
            <SendButtons isRunning={isRunning} isCommand={isCommand} sending={sending} />
          </div>
        </div>
      </div>
    </div>
  );
}
