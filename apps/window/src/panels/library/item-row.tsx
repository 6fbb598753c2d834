import {
  Bot,
  Braces,
  File,
  FileCode,
  FileImage,
  FileText,
  type LucideIcon,
  Presentation,
  Table,
  User,
} from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { LibraryItem } from '../../wire/library.ts';
import { useWords } from '../../words/words.ts';
import type { FileKind } from '../files/file-kind.ts';
import { EntryName } from '../files/tree-row.tsx';
import { kindOfItem } from './item-kind.ts';

const ICONS: Partial<Record<FileKind, LucideIcon>> = {
  image: FileImage,
  vector: FileImage,
  page: FileCode,
  table: Table,
  presentation: Presentation,
  pdf: FileText,
  document: FileText,
  markdown: FileText,
  text: FileText,
};

const iconOf = (item: LibraryItem): LucideIcon => {
  const kind = kindOfItem(item);
  if (kind !== undefined) return ICONS[kind] ?? File;
  if (item.mediaType.includes('spreadsheet')) return Table;
  return item.mediaType === 'application/json' ? Braces : File;
};

interface RowProps {
  id: string;
  item: LibraryItem;
  /** From 1. */
  place: number;
  top: number;
  isCurrent: boolean;
  isChosen: boolean;
  isShown: boolean;
  isNamed: boolean;
  press: (item: LibraryItem, event: MouseEvent) => void;
  finish: (name: string | undefined) => void;
}

export const ItemRow = memo(function ItemRow(props: RowProps) {
  const { say, ago, date } = useWords();
  const { item } = props;
  const Icon = iconOf(item);
  const Maker = item.origin === 'generated' ? Bot : User;
  return (
    <div
      id={props.id}
      role="row"
      aria-rowindex={props.place}
      aria-selected={props.isChosen}
      className="library-row"
      data-chosen={props.isChosen || undefined}
      data-shown={props.isShown || undefined}
      data-current={props.isCurrent || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={(event) => props.press(item, event)}
    >
      <span role="gridcell" className="library-name">
        <Icon size={16} className="muted" aria-hidden />
        <span className="unseen">{say(`library.is.${item.fileType}`)}</span>
        {props.isNamed ? (
          <EntryName name={item.name} label={say('library.rename')} done={props.finish} />
        ) : (
          <span className="tree-name" title={item.name}>
            {item.name}
          </span>
        )}
      </span>
      <span role="gridcell" className="library-origin small muted">
        <Maker size={12} aria-hidden />
        {say(`library.is.${item.origin}`)}
      </span>
      <span role="gridcell" className="library-when small muted tabular">
        <time dateTime={item.updatedAt} title={date(item.updatedAt)}>
          {ago(item.updatedAt)}
        </time>
      </span>
    </div>
  );
});
