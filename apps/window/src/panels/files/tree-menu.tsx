import {
  AtSign,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  ExternalLink,
  FilePlus2,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Link,
  Pencil,
  Scissors,
  Trash2,
} from 'lucide-react';
import type { MenuEntry } from '../../parts/menu.tsx';
import type { Words } from '../../words/words.ts';
import type { FileActions } from './file-actions.ts';
import { parentOf } from './paths.ts';

/** An entry of the tree, or the folder itself: path ''. */
export interface Target {
  path: string;
  isFolder: boolean;
}

export interface MenuNeeds {
  say: Words['say'];
  acts: FileActions;
  /** Starts a new entry. */
  begin(folder: string, kind: 'file' | 'folder'): void;
  rename(path: string): void;
  moveTo(path: string): void;
  mention(path: string): void;
  save(path: string): void;
}

const SIZE = { size: 14, 'aria-hidden': true } as const;

/** The menu of an entry. */
export function entriesFor({ path, isFolder }: Target, needs: MenuNeeds): MenuEntry[] {
  const { say, acts } = needs;
  const folder = isFolder ? path : parentOf(path);
  const making: MenuEntry[] = [
    { id: 'file', icon: <FilePlus2 {...SIZE} />, name: say('files.newFile'), act: () => needs.begin(folder, 'file') },
    {
      id: 'folder',
      icon: <FolderPlus {...SIZE} />,
      name: say('files.newFolder'),
      act: () => needs.begin(folder, 'folder'),
    },
    {
      id: 'paste',
      icon: <ClipboardPaste {...SIZE} />,
      name: say('files.paste'),
      isDisabled: !acts.clip,
      act: () => acts.paste(folder),
    },
  ];
  const outside: MenuEntry = {
    id: 'outside',
    icon: <FolderOpen {...SIZE} />,
    name: say('files.openOutside'),
    act: () => acts.openOutside(folder),
  };
  return path === '' ? [...making, outside] : [...making, ...ofEntry({ path, isFolder }, needs), outside];
}

/** The actions for a file or folder, wherever it is shown. */
export function ofEntry({ path, isFolder }: Target, needs: MenuNeeds): MenuEntry[] {
  const { say, acts } = needs;
  const save: MenuEntry = {
    id: 'save',
    icon: <Download {...SIZE} />,
    name: say('files.download'),
    act: () => needs.save(path),
  };
  return [
    { id: 'mention', icon: <AtSign {...SIZE} />, name: say('files.mention'), act: () => needs.mention(path) },
    { id: 'rename', icon: <Pencil {...SIZE} />, name: say('files.rename'), act: () => needs.rename(path) },
    { id: 'copy', icon: <Copy {...SIZE} />, name: say('act.copy'), act: () => acts.take(path, false) },
    { id: 'cut', icon: <Scissors {...SIZE} />, name: say('files.take'), act: () => acts.take(path, true) },
    { id: 'double', icon: <CopyPlus {...SIZE} />, name: say('files.duplicate'), act: () => acts.duplicate(path) },
    { id: 'move', icon: <FolderInput {...SIZE} />, name: say('files.moveTo'), act: () => needs.moveTo(path) },
    { id: 'path', icon: <Link {...SIZE} />, name: say('files.copyPath'), act: () => acts.copyPath(path) },
    ...(isFolder ? [] : [save]),
    { id: 'reveal', icon: <ExternalLink {...SIZE} />, name: say('files.reveal'), act: () => acts.reveal(path) },
    {
      id: 'delete',
      icon: <Trash2 {...SIZE} />,
      name: say('act.delete'),
      isDangerous: true,
      act: () => acts.remove(path),
    },
  ];
}
