import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from '../../parts/menu.tsx';
import { useWords } from '../../words/words.ts';

interface ExtensionRowProps {
  name: string;
  isOn: boolean;
  turn: (isOn: boolean) => void;
  /** Where it is configured. */
  scope: string;
  tags?: ReactNode;
  /** Right of the tags. */
  action?: ReactNode;
  /** Absent for one that cannot be changed here. */
  edit?: (() => void) | undefined;
  remove?: (() => void) | undefined;
  children: ReactNode;
}

/** A hook or a skill: switched, edited and removed. */
export function ExtensionRow(props: ExtensionRowProps) {
  const { say } = useWords();
  const { name, isOn, turn, scope, tags, action, edit, remove, children } = props;
  const entries = [
    ...(edit ? [{ id: 'edit', icon: <Pencil size={14} aria-hidden />, name: say('configured.edit'), act: edit }] : []),
    ...(remove
      ? [
          {
            id: 'remove',
            icon: <Trash2 size={14} aria-hidden />,
            name: say('configured.remove'),
            isDangerous: true,
            act: remove,
          },
        ]
      : []),
  ];
  return (
    <li className="extension-row mcp-row">
      <div className="extension-name">
        <Switch
          size="sm"
          checked={isOn}
          aria-label={say('configured.switch', { name })}
          onChange={(event) => turn(event.currentTarget.checked)}
        />
        <b>{name}</b>
        {tags}
        <span className="muted small">{scope}</span>
        <span className="mcp-row-actions">
          {action}
          {entries.length > 0 && (
            <Menu label={say('configured.actions', { name })} entries={entries} className="mcp-menu" />
          )}
        </span>
      </div>
      {children}
    </li>
  );
}
