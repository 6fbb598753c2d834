import { type KeyboardEvent, lazy, type ReactNode, Suspense } from 'react';
import { Failure } from '../../../parts/states.tsx';
import { useGrowing } from '../../../parts/use-growing.ts';
import type { Conversation } from '../../../session/conversation.ts';
import { usePicked } from '../../../session/use-session.tsx';
import { useDraft } from '../../../shell/drafts.ts';
import { isMac } from '../../../shell/shortcuts.ts';
import { useSessionAct } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';
import { AttachButton, SendButtons, StopButton } from './composer-buttons.tsx';
import { useAttachments } from './use-attachments.ts';
import { useMention } from './use-mention.tsx';
import { isOwnCommand, useSend } from './use-send.ts';
import { type Slash, useSlash } from './use-slash.ts';

const Attachments = lazy(async () => ({ default: (await import('./attachments.tsx')).Attachments }));
const SlashList = lazy(async () => ({ default: (await import('./slash-list.tsx')).SlashList }));
const Queue = lazy(async () => ({ default: (await import('./queue.tsx')).Queue }));
const Improve = lazy(async () => ({ default: (await import('./improve.tsx')).Improve }));

const isRunningNow = (conversation: Conversation) => conversation.isRunning;
const hasQueue = ({ queue }: Conversation) => queue.messages.length > 0;

/** What waits to be sent, and what can be written. */
function Above({ sessionId, slash }: { sessionId: string; slash: Slash }) {
  const isQueueShown = usePicked(hasQueue);
  return (
    <Suspense>
      {isQueueShown && <Queue sessionId={sessionId} />}
      {slash.isOpen && <SlashList slash={slash} />}
    </Suspense>
  );
}

interface ComposerProps {
  sessionId: string;
  choices: ReactNode;
}

/**
 * Where the next message is written. Enter sends it, or queues it while a turn runs; Mod Enter then sends it as a
 * correction. `!` before it runs it as a command of one's own, `/` lists the commands of the server, `@` the files of the
 * folder, Esc stops.
 */
export function Composer({ sessionId, choices }: ComposerProps) {
  const { say } = useWords();
  const isRunning = usePicked(isRunningNow);
  const [text, setText] = useDraft(sessionId);
  const box = useGrowing(text);
  const attachments = useAttachments(sessionId, sessionId);
  const slash = useSlash(sessionId, text, (value) => {
    setText(value);
    box.current?.focus();
  });
  const mention = useMention({ sessionId, text, setText, box });
  const stop = useSessionAct(sessionId, 'stop');
  const sending = useSend({ sessionId, text, setText, attachments, isRunning });
  const isCommand = isOwnCommand(text);

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || slash.press(event) || mention.press(event)) return;
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
          <Suspense>
            <Attachments attachments={attachments} />
          </Suspense>
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
            {/^\s*[^\s!/]/.test(text) && (
              <Suspense>
                <Improve sessionId={sessionId} text={text} setText={setText} />
              </Suspense>
            )}
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
