import { cleanText } from '@fucina/conversation/clean-text';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  LoaderCircle,
  LogIn,
  LogOut,
  type LucideIcon,
  Pencil,
  RotateCw,
  ScrollText,
  ShieldAlert,
  Trash2,
} from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  chooseMcp,
  chooseMcpCalls,
  connectMcpServer,
  type McpCallAnswer,
  type McpPlace,
  type McpServer,
  type McpState,
  refreshMcp,
  removeMcpServer,
  signOutOfMcpServer,
  trustMcpServer,
} from '../../wire/mcp-servers.ts';
import { useWords, type Words } from '../../words/words.ts';
import { TrustFacts } from '../extensions/trust-facts.tsx';
import { CallsField, ServerCalls } from './calls-choice.tsx';
import { commandOf } from './server-draft.ts';
import { ServerLog } from './server-log.tsx';
import { ServerSignIn } from './server-sign-in.tsx';
import { ServerTools } from './server-tools.tsx';

const STATES: Record<McpState | 'sign-in', { Icon: LucideIcon; tone: string }> = {
  connected: { Icon: CircleCheck, tone: 'good' },
  starting: { Icon: LoaderCircle, tone: 'plain' },
  stopped: { Icon: CircleDashed, tone: 'plain' },
  failed: { Icon: CircleAlert, tone: 'bad' },
  'not-trusted': { Icon: ShieldAlert, tone: 'ask' },
  off: { Icon: CircleSlash, tone: 'plain' },
  'sign-in': { Icon: LogIn, tone: 'ask' },
};

interface RowProps {
  place: McpPlace;
  row: McpServer;
  edit: () => void;
  /** The form, while it is edited. */
  children?: ReactNode;
}

export function ServerRow({ place, row: known, edit, children }: RowProps) {
  const { say } = useWords();
  const id = useId();
  const [open, setOpen] = useState<'tools' | 'log'>();
  const actions = useActions(place, known);
  // A choice is shown at once.
  const row = actions.choose.isPending ? { ...known, ...actions.choose.variables } : known;
  const toggle = (part: 'tools' | 'log') => setOpen(open === part ? undefined : part);
  return (
    <li className="extension-row mcp-row" aria-labelledby={id} data-replaced={row.isReplaced || undefined}>
      <RowHead id={id} row={row} actions={actions} edit={edit} showLog={() => setOpen('log')} />
      <code className="extension-command">{cleanText(commandOf(row.definition))}</code>
      {row.isReplaced && <p className="small muted">{say('mcp.replaced')}</p>}
      {row.error && row.error.reason !== 'sign-in' && <FailureLine failure={row.error} />}
      {['requested', 'other-permissions'].includes(row.signIn) && row.isOn && <ServerSignIn place={place} row={row} />}
      <div className="mcp-folds">
        <FoldButton isOpen={open === 'tools'} toggle={() => toggle('tools')}>
          {row.tools ? say('mcp.tools.count', { count: row.tools.length }) : say('mcp.tools')}
        </FoldButton>
        {open === 'log' && (
          <FoldButton isOpen toggle={() => toggle('log')}>
            {say('mcp.log')}
          </FoldButton>
        )}
      </div>
      {open === 'tools' && row.isOn && row.state !== 'not-trusted' && <ServerCalls row={row} choose={actions.answer} />}
      {open === 'tools' && (
        <ServerTools
          row={row}
          isConnecting={actions.connect.isPending}
          connect={() => actions.connect.mutate()}
          choose={(offTools) => actions.choose.mutate({ offTools })}
        />
      )}
      {open === 'log' && <ServerLog place={place} row={row} />}
      {actions.error && <Failure error={actions.error} />}
      {children}
    </li>
  );
}

type Actions = ReturnType<typeof useActions>;

interface RowHeadProps {
  /** Of the name. */
  id: string;
  row: McpServer;
  actions: Actions;
  edit: () => void;
  showLog: () => void;
}

function RowHead({ id, row, actions, edit, showLog }: RowHeadProps) {
  const { say } = useWords();
  const entries: MenuEntry[] = [
    {
      id: 'connect',
      icon: <RotateCw size={14} aria-hidden />,
      name: say(row.state === 'connected' ? 'mcp.restart' : 'mcp.connect'),
      isDisabled: !row.isOn || row.state === 'not-trusted',
      act: () => actions.connect.mutate(),
    },
    { id: 'log', icon: <ScrollText size={14} aria-hidden />, name: say('mcp.log'), act: showLog },
    ...(row.signIn === 'active' || row.signIn === 'other-permissions'
      ? [{ id: 'sign-out', icon: <LogOut size={14} aria-hidden />, name: say('mcp.signOut'), act: actions.signOut }]
      : []),
    ...(row.scope === 'file' ? [] : ownEntries(say, { edit, remove: actions.remove })),
  ];
  return (
    <div className="extension-name">
      <Switch
        size="sm"
        checked={row.isOn}
        aria-label={say('mcp.switch', { name: row.name })}
        onChange={(event) => actions.choose.mutate({ isOn: event.currentTarget.checked })}
      />
      <b id={id}>{row.name}</b>
      <StateTag row={row} isConnecting={actions.connect.isPending} />
      <span className="muted small">{say(`mcp.scope.${row.scope}`)}</span>
      {row.scope === 'file' && !['not-trusted', 'off'].includes(row.state) && (
        <span className="tag" data-tone="good">
          {say('extensions.trusted')}
        </span>
      )}
      {row.signIn === 'active' && <span className="muted small">{say('mcp.signedIn')}</span>}
      <span className="mcp-row-actions">
        {row.state === 'not-trusted' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('extensions.trust.of', { name: row.name })}
            onClick={actions.review}
          >
            {say('extensions.trust.look')}
          </Button>
        )}
        <Menu label={say('mcp.actions', { name: row.name })} entries={entries} className="mcp-menu" />
      </span>
    </div>
  );
}

function FoldButton({ isOpen, toggle, children }: { isOpen: boolean; toggle: () => void; children: ReactNode }) {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <button type="button" className="text-button mcp-fold" aria-expanded={isOpen} onClick={toggle}>
      <Icon size={14} aria-hidden /> {children}
    </button>
  );
}

function StateTag({ row, isConnecting }: { row: McpServer; isConnecting: boolean }) {
  const { say } = useWords();
  const state = isConnecting ? 'starting' : row.error?.reason === 'sign-in' ? 'sign-in' : row.state;
  const { Icon, tone } = STATES[state];
  return (
    <span className="tag" data-tone={tone} role="status">
      <Icon size={14} aria-hidden className={state === 'starting' ? 'spin' : ''} />
      {say(`mcp.state.${state}`)}
    </span>
  );
}

function FailureLine({ failure }: { failure: NonNullable<McpServer['error']> }) {
  const { say } = useWords();
  return (
    <p className="small mcp-failure">
      {say(`mcp.failure.${failure.reason}`)}
      {failure.detail !== null && (
        <>
          {' '}
          <code>{failure.detail}</code>
        </>
      )}
    </p>
  );
}

function ownEntries(say: Words['say'], { edit, remove }: { edit: () => void; remove: () => void }): MenuEntry[] {
  return [
    { id: 'edit', icon: <Pencil size={14} aria-hidden />, name: say('mcp.edit'), act: edit },
    { id: 'remove', icon: <Trash2 size={14} aria-hidden />, name: say('mcp.remove'), isDangerous: true, act: remove },
  ];
}

function useActions(place: McpPlace, row: McpServer) {
  const { say } = useWords();
  const client = useQueryClient();
  const onSettled = () => refreshMcp(client);
  const connect = useMutation({ mutationFn: () => connectMcpServer(place, row), onSettled });
  const choose = useMutation({
    mutationFn: (choice: Parameters<typeof chooseMcp>[2]) => chooseMcp(place, row, choice),
    onSettled,
  });
  const calls = useMutation({
    mutationFn: (answer: McpCallAnswer) => chooseMcpCalls(place, row, answer),
    onSettled,
  });
  const { review, remove } = reviewedActions({ place, row, onSettled, say });
  const signOut = useMutation({ mutationFn: () => signOutOfMcpServer(place, row), onSettled });
  const error = connect.error ?? choose.error ?? calls.error ?? signOut.error;
  return { connect, choose, answer: calls.mutate, review, remove, signOut: () => signOut.mutate(), error };
}

interface Reviewed {
  place: McpPlace;
  row: McpServer;
  onSettled: () => Promise<void>;
  say: Words['say'];
}

/** Actions that a dialog confirms. */
function reviewedActions({ place, row, onSettled, say }: Reviewed) {
  const { environment, headers, url } = row.definition;
  const variables = [
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const review = () => {
    let answer: McpCallAnswer | undefined;
    openOverlay({
      kind: 'confirm',
      title: say('extensions.trust.mcp', { name: row.name }),
      text: (
        <>
          <TrustFacts
            request={{
              kind: 'mcp',
              id: row.name,
              name: row.name,
              commands: [{ command: commandOf(row.definition) }],
              ...(row.allowed && { allows: row.allowed }),
              variables,
              isAddress: url !== undefined,
            }}
          />
          <CallsField choose={(chosen) => (answer = chosen)} />
        </>
      ),
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => trustMcpServer(place, row, answer).finally(onSettled),
    });
  };
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('mcp.remove.ask', { name: row.name }),
      text: say(row.secrets.length > 0 ? 'mcp.remove.secrets' : 'mcp.remove.why'),
      act: say('mcp.remove'),
      isDangerous: true,
      run: () => removeMcpServer(place, row).finally(onSettled),
    });
  return { review, remove };
}
