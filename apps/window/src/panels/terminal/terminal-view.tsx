import { Button } from '@mantine/core';
import { RotateCw, SquareTerminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isMac } from '../../shell/shortcuts.ts';
import { useWords, type Words } from '../../words/words.ts';
import type { ConnectionState } from './connection.ts';
import { FindInTerminal } from './find-in-terminal.tsx';
import { useTerminal } from './use-terminal.ts';

function wordsOf(link: ConnectionState, { say, number }: Words): string | undefined {
  if (link.state === 'open' || link.state === 'connecting') return undefined;
  if (link.state !== 'exited') return say(`terminal.${link.state}`);
  return link.code === null ? say('terminal.noShell') : say('terminal.exited', { code: number(link.code) });
}

interface ViewProps {
  /** Id of the panel. */
  id: string;
  terminalId: string;
  onState: (state: ConnectionState['state']) => void;
}

/** One shell and its screen. */
export function TerminalView({ id, terminalId, onState }: ViewProps) {
  const words = useWords();
  const { say } = words;
  const place = useRef<HTMLDivElement>(null);
  const { link, isNew, isFinding, setFinding, screen, again } = useTerminal(terminalId, place);
  const onStateRef = useRef(onState);
  onStateRef.current = onState;
  useEffect(() => onStateRef.current(link.state), [link.state]);
  const notice = wordsOf(link, words);
  const canStart = link.state === 'exited' || link.state === 'closed' || link.state === 'unavailable';
  const close = () => {
    setFinding(false);
    screen.current?.terminal.focus();
  };
  return (
    <div className="terminal-view" id={id} role="tabpanel" aria-label={say('session.terminal')}>
      <div className="terminal-status" role="status">
        {notice !== undefined && (
          <p className="terminal-notice">
            <SquareTerminal size={14} aria-hidden />
            <span>{notice}</span>
            {canStart && (
              <Button leftSection={<RotateCw size={14} aria-hidden />} onClick={again}>
                {say('terminal.again')}
              </Button>
            )}
          </p>
        )}
        {notice === undefined && isNew && <p className="terminal-notice">{say('terminal.isNew')}</p>}
      </div>
      <div className="terminal-place">
        <div ref={place} className="terminal-screen" />
        {isFinding && screen.current && <FindInTerminal search={screen.current.search} close={close} />}
      </div>
      <p className="terminal-hint small muted">{say('terminal.leave', { keys: isMac ? '⌘ `' : 'Ctrl `' })}</p>
    </div>
  );
}
