import '../../styles/files.css';
import '../../styles/viewers.css';
import '../../styles/terminal.css';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, SquareTerminal } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Answer, Empty, Failure } from '../../parts/states.tsx';
import { closeTerminal, openTerminal, type TerminalTab, terminalsQuery } from '../../wire/terminals.ts';
import { useWords } from '../../words/words.ts';
import type { ConnectionState } from './connection.ts';
import { assignFirstInput } from './first-input.ts';
import { TerminalTabs } from './terminal-tabs.tsx';
import { TerminalView } from './terminal-view.tsx';

interface TabsProps {
  sessionId: string;
  items: readonly TerminalTab[];
}

/** The tabs, and the current one. */
function useTabs({ sessionId, items: listed }: TabsProps) {
  const [awaited, setAwaited] = useState<TerminalTab>();
  const items =
    awaited && !listed.some(({ terminalId }) => terminalId === awaited.terminalId) ? [awaited, ...listed] : listed;
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const show = (terminalId: string) => setSearch({ tab: terminalId }, { replace: true });
  const { queryKey } = terminalsQuery(sessionId);
  const refresh = () => client.invalidateQueries({ queryKey });
  const open = useMutation({
    mutationFn: () => openTerminal(sessionId),
    onSuccess: (made) => {
      assignFirstInput(sessionId, made.terminalId);
      client.setQueryData(queryKey, (was: readonly TerminalTab[] = []) => [...was, made]);
      show(made.terminalId);
    },
  });
  const close = useMutation({
    mutationFn: (terminalId: string) => closeTerminal(sessionId, terminalId),
    onSettled: (_ended, _error, closed) => {
      setAwaited((tab) => (tab?.terminalId === closed ? undefined : tab));
      return refresh();
    },
  });
  const follow = (tab: TerminalTab, state: ConnectionState['state']) => {
    // A restarted server lists no terminals until one is opened; the first one's id can be used for a new shell.
    if (state === 'lost' && tab.terminalId === sessionId) return setAwaited(tab);
    if (state === 'closed') setAwaited(undefined);
    if (state === 'closed' || state === 'lost') void refresh();
  };
  const shown = items.find(({ terminalId }) => terminalId === asked) ?? items[0];
  return { items, shown, show, open, close, follow, search };
}

function Terminals(props: TabsProps) {
  const { say } = useWords();
  const id = useId();
  const { items, shown, show, open, close, follow, search } = useTabs(props);
  // Opening this view creates a shell; more on request.
  const isWanted = search.has('new') || items.length === 0;
  const hasBegun = useRef(false);
  const add = useRef(open.mutate);
  add.current = open.mutate;
  useEffect(() => {
    if (search.has('new') || (isWanted && !hasBegun.current)) add.current();
    hasBegun.current = true;
  }, [isWanted, search]);
  return (
    <div className="terminal">
      <TerminalTabs
        id={id}
        items={items}
        shown={shown?.terminalId}
        show={show}
        close={close.mutate}
        add={open.mutate}
        isAdding={open.isPending}
      />
      {open.error && <Failure error={open.error} />}
      {close.error && <Failure error={close.error} />}
      {shown ? (
        <TerminalView
          key={shown.terminalId}
          id={id}
          terminalId={shown.terminalId}
          onState={(state) => follow(shown, state)}
        />
      ) : (
        !open.isPending && (
          <Empty
            icon={<SquareTerminal size={20} aria-hidden />}
            title={say('terminal.none')}
            action={
              <Button variant="filled" leftSection={<Plus size={14} aria-hidden />} onClick={() => open.mutate()}>
                {say('terminal.new')}
              </Button>
            }
          >
            {say('terminal.none.why')}
          </Empty>
        )
      )}
    </div>
  );
}

/** Real shells in the session's folder; the current one is in the address. */
export function TerminalPanel({ sessionId }: { sessionId: string }) {
  const query = useQuery(terminalsQuery(sessionId));
  return (
    <Answer query={query} lines={6}>
      {(items) => <Terminals sessionId={sessionId} items={items} />}
    </Answer>
  );
}
