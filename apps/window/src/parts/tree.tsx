import { useQuery } from '@tanstack/react-query';
import { ChevronRight, File, Folder } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { treeQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { Failure, Loading } from './states.tsx';

interface TreeProps {
  owner: 'sessions' | 'projects';
  id: string;
  selected: string | undefined;
  choose: (path: string) => void;
}

/** Arrow keys walk the rows that are on screen; right and left open and close. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"] > .tree-row')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const row = rows[at];
  if (!row) return;
  const isOpen = row.parentElement?.getAttribute('aria-expanded');
  if (event.key === 'ArrowDown') rows[at + 1]?.focus();
  else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
  else if (event.key === 'ArrowRight' && isOpen === 'false') row.click();
  else if (event.key === 'ArrowLeft' && isOpen === 'true') row.click();
  else return;
  event.preventDefault();
}

/** A folder, one level at a time. */
export function Tree(props: TreeProps & { label: string }) {
  return (
    <ul className="tree" role="tree" aria-label={props.label} onKeyDown={walk}>
      <Level {...props} path="" depth={0} />
    </ul>
  );
}

function Level(props: TreeProps & { path: string; depth: number }) {
  const { say } = useWords();
  const query = useQuery(treeQuery(props.owner, props.id, props.path));
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return props.depth === 0 ? <Loading lines={8} /> : null;
  if (query.data.length === 0) return <li className="tree-empty muted">{say('files.emptyFolder')}</li>;
  return query.data.map((entry) => (
    <Entry
      key={entry.nome}
      {...props}
      name={entry.nome}
      isFolder={entry.cartella}
      path={props.path ? `${props.path}/${entry.nome}` : entry.nome}
    />
  ));
}

function Entry(props: TreeProps & { path: string; depth: number; name: string; isFolder: boolean }) {
  // A file that the address names is shown where it is.
  const [isOpen, setIsOpen] = useState(props.selected?.startsWith(`${props.path}/`) ?? false);
  const Icon = props.isFolder ? Folder : File;
  const isSelected = props.selected === props.path;
  return (
    <li
      role="treeitem"
      aria-expanded={props.isFolder ? isOpen : undefined}
      aria-selected={isSelected}
      aria-level={props.depth + 1}
    >
      <button
        type="button"
        className="tree-row"
        data-selected={isSelected || undefined}
        style={{ paddingInlineStart: 8 + props.depth * 16 }}
        onClick={() => (props.isFolder ? setIsOpen(!isOpen) : props.choose(props.path))}
      >
        {props.isFolder ? (
          <ChevronRight size={14} className="tree-mark" data-open={isOpen || undefined} aria-hidden />
        ) : (
          <span className="tree-mark" />
        )}
        <Icon size={14} className="muted" aria-hidden />
        <span className="tree-name">{props.name}</span>
      </button>
      {isOpen && (
        <ul role="group">
          <Level {...props} depth={props.depth + 1} />
        </ul>
      )}
    </li>
  );
}
