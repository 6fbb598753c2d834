import { cleanText } from '@fucina/conversation/clean-text';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type ExtensionPlace,
  type Hook,
  type HookDefinition,
  hooksQuery,
  refreshConfigured,
  removeHook,
  trustHook,
  turnHook,
} from '../../wire/configured-extensions.ts';
import { useWords, type Words } from '../../words/words.ts';
import { ExtensionRow } from './extension-row.tsx';
import { eventWords } from './extension-words.ts';
import { Section } from './section.tsx';
import { TrustFacts } from './trust-facts.tsx';

const HookForm = lazyPart(async () => (await import('./hook-form.tsx')).HookForm);

const keyOf = ({ scope, id }: Hook): string => `${scope} ${id}`;

/** Hooks of the user and of the project: added, edited, switched, trusted and removed. */
export function Hooks({ place }: { place: ExtensionPlace }) {
  const { say } = useWords();
  const query = useQuery(hooksQuery(place));
  /** `new`, or the key of a hook. */
  const [open, setOpen] = useState<string>();
  const close = () => setOpen(undefined);
  return (
    <Answer query={query} lines={3}>
      {({ hooks, error }) => (
        <Section
          kind="hooks"
          declared={{ rows: error !== null && hooks.length === 0 ? null : hooks, problem: error }}
          add={{
            label: say('hooks.add'),
            isOpen: open === 'new',
            toggle: () => setOpen(open === 'new' ? undefined : 'new'),
          }}
          form={
            open === 'new' && (
              <Waiting fallback={null}>
                <HookForm place={place} close={close} />
              </Waiting>
            )
          }
          row={(row) => (
            <HookRow
              key={keyOf(row)}
              place={place}
              row={row}
              isEdited={open === keyOf(row)}
              edit={() => setOpen(keyOf(row))}
              close={close}
            />
          )}
        />
      )}
    </Answer>
  );
}

interface HookRowProps {
  place: ExtensionPlace;
  row: Hook;
  isEdited: boolean;
  edit: () => void;
  close: () => void;
}

function HookRow({ place, row, isEdited, edit, close }: HookRowProps) {
  const { say } = useWords();
  const { turning, review, remove } = useHookActions(place, row);
  const { definition } = row;
  const isOwn = row.scope !== 'file';
  return (
    <ExtensionRow
      name={row.id}
      isOn={turning.isPending ? turning.variables : row.isOn}
      turn={(isOn) => turning.mutate(isOn)}
      scope={say(row.scope === 'file' ? 'hooks.scope.file' : `mcp.scope.${row.scope}`)}
      tags={<HookTag row={row} />}
      action={
        row.state === 'not-trusted' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('extensions.trust.of', { name: row.id })}
            onClick={review}
          >
            {say('extensions.trust.look')}
          </Button>
        )
      }
      edit={isOwn && definition ? edit : undefined}
      remove={isOwn ? remove : undefined}
    >
      {definition && <HookFacts definition={definition} />}
      {row.error !== null && <code className="small">{row.error}</code>}
      {isOwn && ['not-trusted', 'failed'].includes(row.state) && <p className="small">{say('hooks.refuses')}</p>}
      {turning.error && <Failure error={turning.error} />}
      {isEdited && (
        <Waiting fallback={null}>
          <HookForm place={place} hook={row} close={close} />
        </Waiting>
      )}
    </ExtensionRow>
  );
}

function HookFacts({ definition: { events, command, filter, timeoutSeconds } }: { definition: HookDefinition }) {
  const { say } = useWords();
  const facts = [
    eventsOf(say, events),
    filter && say('hooks.matches', { tools: filter }),
    timeoutSeconds && say('hooks.ends', { count: timeoutSeconds }),
  ];
  return (
    <>
      <code className="extension-command">{cleanText(command)}</code>
      <p className="muted small">{facts.filter(Boolean).join(' · ')}</p>
    </>
  );
}

const eventsOf = (say: Words['say'], events: HookDefinition['events']): string =>
  events.map((event) => eventWords(say, event)).join(', ');

function useHookActions(place: ExtensionPlace, row: Hook) {
  const { say } = useWords();
  const client = useQueryClient();
  const onSettled = () => refreshConfigured(client);
  const turning = useMutation({ mutationFn: (isOn: boolean) => turnHook(place, row, isOn), onSettled });
  const { definition } = row;
  const events = eventsOf(say, definition?.events ?? []);
  const review = () =>
    openOverlay({
      kind: 'confirm',
      title: say('extensions.trust.hooks', { name: row.id }),
      text: (
        <TrustFacts
          request={{
            kind: 'hooks',
            id: row.id,
            name: row.id,
            commands: [{ command: definition?.command ?? '' }],
            events,
          }}
        />
      ),
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => trustHook(place, row).finally(onSettled),
    });
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('hooks.remove.ask', { name: row.id }),
      text: say('hooks.remove.why'),
      act: say('configured.remove'),
      isDangerous: true,
      run: () => removeHook(place, row).finally(onSettled),
    });
  return { turning, review, remove };
}

function HookTag({ row: { scope, state } }: { row: Hook }) {
  const { say } = useWords();
  if (state === 'failed') {
    return (
      <span className="tag danger">
        <CircleAlert size={14} aria-hidden /> {say('hooks.failed')}
      </span>
    );
  }
  if (state === 'not-trusted') {
    return (
      <span className="tag" data-tone="ask">
        <ShieldAlert size={14} aria-hidden /> {say(scope === 'file' ? 'extensions.untrusted' : 'hooks.changed')}
      </span>
    );
  }
  if (scope !== 'file' || state === 'off') return null;
  return (
    <span className="tag" data-tone="good">
      <ShieldCheck size={14} aria-hidden /> {say('extensions.trusted')}
    </span>
  );
}
