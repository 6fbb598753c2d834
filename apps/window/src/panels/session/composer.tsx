import { Button } from '@mantine/core';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Failure } from '../../parts/states.tsx';
import type { Conversation } from '../../session/conversation.ts';
import { usePicked } from '../../session/use-session.tsx';
import { useDraft } from '../../shell/drafts.ts';
import { useSessionAct } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** Grows a text box with what is in it, up to what its style allows. */
export function useGrowing(text: string): React.RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return box;
}

/** Where the next message is written. Enter sends, Shift Enter breaks the line, Esc stops what runs. */
export function Composer({ sessionId, choices }: { sessionId: string; choices: ReactNode }) {
  const { say } = useWords();
  const isRunning = usePicked(isRunningNow);
  const [text, setText] = useDraft(sessionId);
  const box = useGrowing(text);
  const resume = useSessionAct<{ messaggio: string }>(sessionId, 'resume');
  const stop = useSessionAct(sessionId, 'stop');
  const canSend = !isRunning && text.trim() !== '' && !resume.isPending;

  const submit = () => {
    if (!canSend) return;
    resume.mutate({ messaggio: text }, { onSuccess: () => setText('') });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isRunning) stop.mutate();
      else box.current?.blur();
    }
  };
  const failure = resume.error ?? stop.error;
  return (
    <div className="composer-frame">
      {failure && <Failure error={failure} />}
      <div className="composer">
        <textarea
          ref={box}
          rows={1}
          value={text}
          aria-label={say('composer.label')}
          placeholder={say(isRunning ? 'composer.whileRunning' : 'composer.placeholder')}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        <div className="composer-foot">
          <div className="composer-choices">{choices}</div>
          {isRunning ? (
            <Button
              leftSection={<Square size={12} aria-hidden />}
              loading={stop.isPending}
              onClick={() => stop.mutate()}
              aria-keyshortcuts="Escape"
            >
              {say('act.stop')}
            </Button>
          ) : (
            <Button
              variant="filled"
              leftSection={<ArrowUp size={14} aria-hidden />}
              disabled={!canSend}
              loading={resume.isPending}
              onClick={submit}
            >
              {say('act.send')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
