import { ArrowLeft, Download, ExternalLink, FolderOpen, Link as LinkIcon, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import type { LibraryItem } from '../../wire/library.ts';
import { useWords, type Words } from '../../words/words.ts';
import { EntryName } from '../files/tree-row.tsx';
import { ItemBody } from './item-body.tsx';
import { ItemFacts } from './item-facts.tsx';
import type { ItemActions } from './use-item-actions.ts';

const SIZE = { size: 14, 'aria-hidden': true } as const;

function entriesFor(
  item: LibraryItem,
  needs: { say: Words['say']; acts: ItemActions; rename: () => void },
): MenuEntry[] {
  const { say, acts, rename } = needs;
  const { path } = item;
  return [
    { id: 'rename', icon: <Pencil {...SIZE} />, name: say('library.rename'), act: rename },
    { id: 'open', icon: <ExternalLink {...SIZE} />, name: say('library.open'), act: () => acts.openOutside(item) },
    { id: 'reveal', icon: <FolderOpen {...SIZE} />, name: say('library.reveal'), act: () => acts.reveal(item) },
    ...(path === null
      ? []
      : [
          {
            id: 'path',
            icon: <LinkIcon {...SIZE} />,
            name: say('library.copyPath'),
            act: () => acts.copyPath(path),
          },
        ]),
    {
      id: 'delete',
      icon: <Trash2 {...SIZE} />,
      name: say('act.delete'),
      isDangerous: true,
      act: () => acts.remove([item]),
    },
  ];
}

interface ViewProps {
  sessionId: string;
  item: LibraryItem;
  acts: ItemActions;
  /** Back to the list, when only one of the two fits. */
  leave: () => void;
}

/** One library item: name, origin and content. */
export function ItemView({ sessionId, item, acts, leave }: ViewProps) {
  const { say } = useWords();
  const [isNamed, setIsNamed] = useState(false);
  return (
    <section className="file-view" aria-label={item.name}>
      <header className="file-head library-head">
        <button
          type="button"
          className="icon-button files-back"
          aria-label={say('act.back')}
          title={say('act.back')}
          onClick={leave}
        >
          <ArrowLeft size={14} aria-hidden />
        </button>
        {isNamed ? (
          <EntryName
            name={item.name}
            label={say('library.rename')}
            done={(name) => {
              setIsNamed(false);
              if (name !== undefined) acts.rename(item, name);
            }}
          />
        ) : (
          <h2 className="tree-name" title={item.name}>
            {item.name}
          </h2>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={say('files.download')}
          title={say('files.download')}
          onClick={() => acts.download(item)}
        >
          <Download size={14} aria-hidden />
        </button>
        <Menu
          label={say('library.acts', { name: item.name })}
          className="library-menu"
          entries={entriesFor(item, { say, acts, rename: () => setIsNamed(true) })}
        />
      </header>
      <ItemFacts sessionId={sessionId} item={item} />
      <ItemBody sessionId={sessionId} item={item} download={acts.download} />
    </section>
  );
}
