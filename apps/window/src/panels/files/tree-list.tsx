import { useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { monotonic } from '../../ambient.ts';
import { isMac } from '../../shell/shortcuts.ts';
import { useWords } from '../../words/words.ts';
import type { FileActions } from './file-actions.ts';
import { isBelow, parentOf } from './paths.ts';
import type { Target } from './tree-menu.tsx';
import { type ChangeMark, DRAG_DATA_TYPE, Row } from './tree-row.tsx';
import { actionOfKey, rowMatchingTyped, type TreeRow } from './tree-rows.ts';
import type { FileTree } from './use-tree.ts';

/** A new entry that has no name yet. */
export interface NewEntryDraft {
  folder: string;
  kind: 'file' | 'folder';
}

interface ListProps {
  tree: FileTree;
  acts: FileActions;
  shown: string | undefined;
  marks: ReadonlyMap<string, ChangeMark>;
  /** The path of the row that is being renamed. */
  named: string | undefined;
  beginning: NewEntryDraft | undefined;
  open: (path: string) => void;
  rename: (path: string | undefined) => void;
  finish: (name: string | undefined) => void;
  menu: (target: Target, at: { x: number; y: number }) => void;
}

const ROW_PX = 26;
/** Letters typed within this time form one search text. */
const WORD_MS = 800;
/** No entry has this path: names cannot contain NUL. */
const NEW = '\u0000';

/** The rows, including the new one. */
function withBeginning(rows: readonly TreeRow[], beginning: NewEntryDraft | undefined): readonly TreeRow[] {
  if (!beginning) return rows;
  const above = rows.findIndex(({ path }) => path === beginning.folder);
  const level = (rows[above]?.level ?? 0) + 1;
  const isFolder = beginning.kind === 'folder';
  const row = { path: NEW, name: '', isFolder, level, isOpen: false, place: 1, siblings: 1 };
  return rows.toSpliced(above + 1, 0, row);
}

/** Dropped files of the computer. Folders are skipped: they would be unreadable files. */
const droppedFiles = ({ dataTransfer }: DragEvent): File[] =>
  [...dataTransfer.items].flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory ? null : item.getAsFile();
    return file ? [file] : [];
  });

/** The search text so far; any other key ends it. */
function useTyping(): (key: string) => string {
  const typed = useRef({ text: '', at: 0 });
  return (key) => {
    const isMore = monotonic() - typed.current.at < WORD_MS;
    const text = key.length > 1 ? '' : isMore ? typed.current.text + key : key;
    typed.current = { text, at: monotonic() };
    return text;
  };
}

/** Handles a key for the current row; returns whether it had an effect. */
function useTreeKeys(
  props: ListProps,
  rowAt: (path: string) => DOMRect | undefined,
): (event: KeyboardEvent) => boolean {
  const { tree, acts } = props;
  const type = useTyping();
  const withMod = (key: string, row: TreeRow | undefined): boolean => {
    if (key === 'c' && row) acts.take(row.path, false);
    else if (key === 'x' && row) acts.take(row.path, true);
    else if (key === 'v') acts.paste(row ? (row.isFolder ? row.path : parentOf(row.path)) : '');
    else return false;
    return true;
  };
  const act = (event: KeyboardEvent, row: TreeRow): boolean => {
    if (event.key === 'Enter' || event.key === ' ') {
      if (row.isFolder) tree.toggle(row.path);
      else props.open(row.path);
    } else if (event.key === 'F2') props.rename(row.path);
    else if (event.key === 'Delete' || (isMac && event.key === 'Backspace')) acts.remove(row.path);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const box = rowAt(row.path);
      if (box) props.menu(row, { x: box.left + 24, y: box.bottom });
    } else return false;
    return true;
  };
  return (event) => {
    const at = tree.rows.findIndex(({ path }) => path === tree.current);
    const row = tree.rows[at];
    if (isMac ? event.metaKey : event.ctrlKey) return withMod(event.key.toLowerCase(), row);
    if (event.altKey) return false;
    const word = type(event.key);
    const step = actionOfKey(tree.rows, at, event.key);
    if (step?.kind === 'go') tree.look(tree.rows[step.at]?.path);
    else if (step && row) tree.toggle(row.path);
    else if (row && act(event, row)) return true;
    else if (event.key.length === 1 && event.key !== ' ') {
      const found = rowMatchingTyped(tree.rows, Math.max(0, at), word);
      if (found !== undefined) tree.look(tree.rows[found]?.path);
    } else return step !== undefined;
    return true;
  };
}

/** The tree of a folder of any size: only visible rows are drawn. */
export function TreeList(props: ListProps) {
  const { say } = useWords();
  const { tree, acts } = props;
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const rows = withBeginning(tree.rows, props.beginning);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const wanted = props.beginning ? NEW : tree.current;
  const at = rows.findIndex(({ path }) => path === wanted);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // Scrolls only when the current row changes, not when rows move.
  }, [wanted, at >= 0]);
  const rowId = (path: string) => `${id}${path}`;
  const keys = useTreeKeys(props, (path) => document.getElementById(rowId(path))?.getBoundingClientRect());
  const drop = (event: DragEvent, row: TreeRow | undefined) => {
    event.preventDefault();
    event.stopPropagation();
    const folder = row ? (row.isFolder ? row.path : parentOf(row.path)) : '';
    const path = event.dataTransfer.getData(DRAG_DATA_TYPE);
    const files = droppedFiles(event);
    if (files.length > 0) acts.upload(files, folder);
    else if (path === '') acts.tell(say('files.onlyFiles'));
    else if (path !== folder && !isBelow(folder, path)) acts.move(path, folder);
  };
  return (
    <div
      ref={scroll}
      className="files-scroll"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => drop(event, undefined)}
      onContextMenu={(event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        props.menu({ path: '', isFolder: true }, { x: event.clientX, y: event.clientY });
      }}
    >
      <div
        ref={box}
        role="tree"
        tabIndex={0}
        aria-label={say('session.files')}
        aria-activedescendant={at >= 0 ? rowId(wanted ?? '') : undefined}
        className="file-tree"
        style={{ height: virtual.getTotalSize() }}
        onFocus={() => tree.current === undefined && tree.look(tree.rows[0]?.path)}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && keys(event)) event.preventDefault();
        }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as TreeRow;
          const isNew = row.path === NEW;
          return (
            <Row
              key={row.path}
              id={rowId(row.path)}
              row={row}
              top={start}
              mark={props.marks.get(row.path)}
              isCurrent={index === at}
              isShown={row.path === props.shown}
              isCut={acts.clip?.isCut === true && acts.clip.path === row.path}
              isNamed={isNew || row.path === props.named}
              press={() => {
                tree.look(row.path);
                box.current?.focus();
                if (row.isFolder) tree.toggle(row.path);
                else props.open(row.path);
              }}
              menu={(target, point) => {
                tree.look(target.path);
                props.menu(target, point);
              }}
              drop={drop}
              named={(name) => {
                if (isNew) props.finish(name);
                else {
                  props.rename(undefined);
                  if (name !== undefined) acts.rename(row.path, name);
                }
                box.current?.focus();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
