import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { enableForged, type ForgedTool, refreshExtensions } from '../../wire/extensions.ts';
import { useWords, type WordKey } from '../../words/words.ts';

const CAPABILITIES: Record<string, WordKey> = {
  'tasks.list': 'forge.tasks.list',
  'tasks.create': 'forge.tasks.create',
  'tasks.setStatus': 'forge.tasks.setStatus',
  'notes.list': 'forge.notes.list',
  'notes.create': 'forge.notes.create',
  'notes.update': 'forge.notes.update',
  'memory.search': 'forge.memory.search',
  'memory.create': 'forge.memory.create',
};

/** A forged tool: its permissions, and whether it is active. */
export function ForgedRow({ sessionId, row }: { sessionId: string; row: ForgedTool }) {
  const { say, ago } = useWords();
  const client = useQueryClient();
  const enabling = useMutation({
    mutationFn: (isOn: boolean) => enableForged(sessionId, row.id, isOn),
    onSettled: () => refreshExtensions(client, sessionId),
  });
  const turn = (isOn: boolean) => {
    // Memories that it stores are used in other conversations, too.
    if (!isOn || row.risk !== 'R3') return enabling.mutate(isOn);
    openOverlay({
      kind: 'confirm',
      title: say('forge.ask', { name: row.title }),
      text: say('forge.ask.why'),
      act: say('forge.turnOn'),
      isDangerous: false,
      run: () => enabling.mutateAsync(true),
    });
  };
  const may = row.capabilities.map((capability) => {
    const key = CAPABILITIES[capability];
    return key ? say(key) : capability;
  });
  return (
    <li className="extension-row">
      <div className="extension-name">
        <Switch
          size="sm"
          checked={row.isEnabled}
          disabled={enabling.isPending}
          aria-label={say('forge.switch', { name: row.title })}
          onChange={(event) => turn(event.currentTarget.checked)}
        />
        <b>{row.title}</b> <code className="muted small">forge_{row.id}</code>
        <span className="tag">{say(`forge.risk.${row.risk}`)}</span>
      </div>
      <p className="muted small">{row.description}</p>
      <p className="muted small">
        {may.length > 0 ? say('forge.may', { what: may.join(', ') }) : say('forge.may.nothing')} ·{' '}
        {ago(row.installedAt)}
      </p>
      {enabling.error && <Failure error={enabling.error} />}
    </li>
  );
}
