import { cleanText } from '@fucina/conversation/clean-text';
import { ChevronRight, File, Folder } from 'lucide-react';
import { type DragEvent, memo, useRef, useState } from 'react';
import { ProblemCount } from '../../parts/problem-count.tsx';
import { useWords } from '../../words/words.ts';
import type { TreeRow } from './tree-rows.ts';

/** The session's change of a file, or of something in a folder. */
export type ChangeMark = 'new' | 'changed' | 'inside';

export const DRAG_DATA_TYPE = 'application/x-fucina-path';

interface RowProps {
  id: string;
  row: TreeRow;
  top: number;
  mark: ChangeMark | undefined;
  isCurrent: boolean;
  isShown: boolean;
  isCut: boolean;
  isNamed: boolean;
  press: (row: TreeRow) => void;
  menu: (row: TreeRow, at: { x: number; y: number }) => void;
  drop: (event: DragEvent, row: TreeRow) => void;
  named: (name: string | undefined) => void;
}

export const Row = memo(function Row(props: RowProps) {
  const { say } = useWords();
  const { row, mark } = props;
  const [isOver, setIsOver] = useState(false);
  const Icon = row.isFolder ? Folder : File;
  return (
    <div
      id={props.id}
      role="treeitem"
      aria-level={row.level}
      aria-expanded={row.isFolder ? row.isOpen : undefined}
      aria-selected={props.isShown}
      aria-setsize={row.siblings}
      aria-posinset={row.place}
      className="tree-row file-row"
      data-selected={props.isShown || undefined}
      data-current={props.isCurrent || undefined}
      data-cut={props.isCut || undefined}
      data-over={isOver || undefined}
      style={{ paddingInlineStart: 8 + (row.level - 1) * 14, transform: `translateY(${props.top}px)` }}
      draggable={!props.isNamed}
      onClick={() => props.press(row)}
      onContextMenu={(event) => {
        event.preventDefault();
        props.menu(row, { x: event.clientX, y: event.clientY });
      }}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAG_DATA_TYPE, row.path);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(row.isFolder);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        props.drop(event, row);
      }}
    >
      {row.isFolder ? (
        <ChevronRight size={14} className="tree-mark" data-open={row.isOpen || undefined} aria-hidden />
      ) : (
        <span className="tree-mark" />
      )}
      <Icon size={14} className="muted" aria-hidden />
      {props.isNamed ? (
        <EntryName name={row.name} label={say(row.name === '' ? 'files.newName' : 'files.rename')} done={props.named} />
      ) : (
        <span className="tree-name" title={row.name}>
          {cleanText(row.name)}
        </span>
      )}
      {!row.isFolder && !props.isNamed && <ProblemCount path={row.path} />}
      {mark && (
        <span className="file-mark" data-mark={mark} title={say(`files.mark.${mark}`)}>
          <span aria-hidden>{mark === 'inside' ? '•' : say(`files.mark.${mark}.short`)}</span>
          <span className="unseen">{say(`files.mark.${mark}`)}</span>
        </span>
      )}
    </div>
  );
});

/**
 * Renames in place: Enter or blur saves, Esc cancels. The extension is not selected at first, because it seldom
 * changes.
 */
export function EntryName({ name, label, done }: { name: string; label: string; done: (name?: string) => void }) {
  const [draft, setDraft] = useState(name);
  const isDone = useRef(false);
  const leave = (chosen?: string) => {
    // Blur removes the input, which fires blur again.
    if (isDone.current) return;
    isDone.current = true;
    done(chosen);
  };
  const save = () => leave(draft.trim() === '' || draft.trim() === name ? undefined : draft.trim());
  return (
    <input
      className="file-name-input"
      autoFocus
      aria-label={label}
      maxLength={255}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onFocus={({ currentTarget }) => {
        const dot = name.lastIndexOf('.');
        currentTarget.setSelectionRange(0, dot > 0 ? dot : name.length);
      }}
      onBlur={save}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') leave();
      }}
    />
  );
}
