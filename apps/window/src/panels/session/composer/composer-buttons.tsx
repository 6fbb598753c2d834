import { Button } from '@mantine/core';
import { ArrowUp, CornerDownRight, ListPlus, Paperclip, Square, Terminal } from 'lucide-react';
import { useRef } from 'react';
import { isMac } from '../../../shell/shortcuts.ts';
import { useWords } from '../../../words/words.ts';
import type { SendState } from './use-send.ts';

/** Stops the turn; shows a spinner while stopping. */
export function StopButton({ isStopping, stop }: { isStopping: boolean; stop: () => void }) {
  const { say } = useWords();
  return (
    <Button
      leftSection={<Square size={12} aria-hidden />}
      loading={isStopping}
      onClick={stop}
      aria-keyshortcuts="Escape"
    >
      {say('act.stop')}
    </Button>
  );
}

interface SendButtonsProps {
  isRunning: boolean;
  isCommand: boolean;
  sending: SendState;
}

/** The ways to send the draft, depending on the session's state. */
export function SendButtons({ isRunning, isCommand, sending }: SendButtonsProps) {
  const { say } = useWords();
  const { canSend, pending, send } = sending;
  // During a turn with an empty draft the only action is stop.
  if (isRunning && !canSend && !pending) return null;
  const Icon = isCommand ? Terminal : isRunning ? ListPlus : ArrowUp;
  const word = isCommand ? 'composer.run' : isRunning ? 'composer.queue' : 'act.send';
  return (
    <>
      {isRunning && !isCommand && (
        <Button
          leftSection={<CornerDownRight size={14} aria-hidden />}
          title={say('composer.redirect.why')}
          aria-keyshortcuts={isMac ? 'Meta+Enter' : 'Control+Enter'}
          disabled={!canSend}
          loading={pending === 'redirect'}
          onClick={() => send('redirect')}
        >
          {say('composer.redirect')}
        </Button>
      )}
      <Button
        variant="filled"
        leftSection={<Icon size={14} aria-hidden />}
        title={isRunning && !isCommand ? say('composer.queue.why') : undefined}
        disabled={!canSend}
        loading={pending !== undefined && pending !== 'redirect'}
        onClick={() => send()}
      >
        {say(word)}
      </Button>
    </>
  );
}

/** Opens the system's file dialog. */
export function AttachButton({ attach, accept }: { attach: (files: readonly File[]) => void; accept?: string }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={say('attach.add')}
        title={say('attach.add')}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={14} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        onChange={(event) => {
          attach([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
