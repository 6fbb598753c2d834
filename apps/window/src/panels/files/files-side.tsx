import { Button } from '@mantine/core';
import { CopyMinus, FilePlus2, FolderOpen, FolderPlus, Upload, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';
import type { FileActions } from './file-actions.ts';
import { SearchField, SearchResults } from './name-search.tsx';
import { nameOf, parentOf } from './paths.ts';
import { PointMenu } from './point-menu.tsx';
import { TreeList } from './tree-list.tsx';
import { entriesFor, type Target } from './tree-menu.tsx';
import type { FilesView } from './use-files-view.ts';

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog);

function IconButton({ name, children, act }: { name: string; children: ReactNode; act: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={name} title={name} onClick={act}>
      {children}
    </button>
  );
}

/** New entries are created beside the current row. */
function ToolBar({ view: { tree, acts, menu } }: { view: FilesView }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  const row = tree.rows.find(({ path }) => path === tree.current);
  const folder = row ? (row.isFolder && row.isOpen ? row.path : parentOf(row.path)) : '';
  return (
    <div className="files-tools">
      <IconButton name={say('files.newFile')} act={() => menu.begin(folder, 'file')}>
        <FilePlus2 size={14} aria-hidden />
      </IconButton>
      <IconButton name={say('files.newFolder')} act={() => menu.begin(folder, 'folder')}>
        <FolderPlus size={14} aria-hidden />
      </IconButton>
      <IconButton name={say('files.upload')} act={() => input.current?.click()}>
        <Upload size={14} aria-hidden />
      </IconButton>
      <IconButton name={say('files.foldAll')} act={tree.fold}>
        <CopyMinus size={14} aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        onChange={(event) => {
          acts.upload([...(event.currentTarget.files ?? [])], folder);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Result of the last action. */
function Notice({ acts: { notice, dismiss, reveal } }: { acts: FileActions }) {
  const { say } = useWords();
  const place = notice?.place;
  return (
    <div className="files-notice" role="status">
      {notice?.text && <p className="small">{notice.text}</p>}
      {place !== undefined && (
        <Button size="compact-xs" variant="default" onClick={() => reveal(place)}>
          {say('files.reveal')}
        </Button>
      )}
      {notice?.error !== undefined && <Failure error={notice.error} />}
      {notice && (
        <IconButton name={say('act.close')} act={dismiss}>
          <X size={12} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function Entries({ view, menu }: { view: FilesView; menu: (target: Target, at: { x: number; y: number }) => void }) {
  const { say } = useWords();
  const { tree } = view;
  if (tree.error) return <Failure error={tree.error} retry={tree.retry} />;
  if (!tree.isKnown) return <Loading lines={8} />;
  if (tree.rows.length === 0 && !view.beginning)
    return (
      <Empty
        icon={<FolderOpen size={20} />}
        title={say('files.emptyFolder')}
        action={<Button onClick={() => view.menu.begin('', 'file')}>{say('files.newFile')}</Button>}
      />
    );
  return (
    <>
      <TreeList
        tree={tree}
        acts={view.acts}
        shown={view.place.path}
        marks={view.marks}
        named={view.named}
        beginning={view.beginning}
        open={view.place.show}
        rename={view.rename}
        finish={view.finish}
        menu={menu}
      />
      {tree.closedFolder !== undefined && (
        <p className="files-limits small muted">{say('files.closedFolder', { name: nameOf(tree.closedFolder) })}</p>
      )}
    </>
  );
}

/** The folder tree, or the matches of a name search. */
export function FilesSide({ view }: { view: FilesView }) {
  const { say } = useWords();
  const [search, setSearch] = useState('');
  const [pointed, setPointed] = useState<{ target: Target; at: { x: number; y: number } }>();
  const side = useRef<HTMLElement>(null);
  const choose = (path: string, isFolder: boolean) => {
    if (!isFolder) return view.place.show(path);
    setSearch('');
    view.tree.enter(path);
  };
  return (
    <section ref={side} className="files-side" aria-label={say('files.side')} aria-busy={view.acts.isBusy}>
      <div className="files-head">
        <SearchField
          text={search}
          setText={setSearch}
          down={() => side.current?.querySelector<HTMLElement>('.files-found button, [role="tree"]')?.focus()}
        />
        <ToolBar view={view} />
      </div>
      {search.trim() === '' ? (
        <Entries view={view} menu={(target, at) => setPointed({ target, at })} />
      ) : (
        <SearchResults sessionId={view.sessionId} text={search} choose={choose} />
      )}
      <Notice acts={view.acts} />
      {pointed && (
        <PointMenu
          label={say('files.menu', { name: nameOf(pointed.target.path) || say('files.root') })}
          at={pointed.at}
          entries={entriesFor(pointed.target, view.menu)}
          close={() => setPointed(undefined)}
        />
      )}
      {view.moving !== undefined && (
        <MoveDialog
          sessionId={view.sessionId}
          path={view.moving}
          close={view.stay}
          move={(folder) => view.acts.move(view.moving ?? '', folder)}
        />
      )}
    </section>
  );
}
