import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../../styles/overlays.css';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Folder } from 'lucide-react';
import { useState } from 'react';
import { useFocusRestore } from '../../shell/focus-restore.ts';
import { PickList } from '../../shell/pick-list.tsx';
import { treeQuery } from '../../wire/folders.ts';
import { useWords } from '../../words/words.ts';
import { isBelow, nameOf, parentOf } from './paths.ts';
import { nameSearchQuery } from './queries.ts';

interface MoveProps {
  sessionId: string;
  path: string;
  close: () => void;
  move: (folder: string) => void;
}

/** Chooses the target folder of an entry: siblings first, any by name. */
export function MoveDialog({ sessionId, path, close, move }: MoveProps) {
  const { say } = useWords();
  useFocusRestore();
  const [search, setSearch] = useState('');
  const wanted = search.trim();
  const root = useQuery(treeQuery('sessions', sessionId, ''));
  const beside = useQuery(treeQuery('sessions', sessionId, parentOf(path)));
  const found = useQuery(nameSearchQuery(sessionId, wanted));
  const parent = parentOf(path);
  const near = [
    '',
    ...(root.data ?? []).filter(({ isFolder }) => isFolder).map(({ name }) => name),
    ...(beside.data ?? []).filter(({ isFolder }) => isFolder && parent !== '').map(({ name }) => `${parent}/${name}`),
  ];
  const far = (found.data?.results ?? []).filter(({ isFolder }) => isFolder).map(({ path }) => path);
  const folders = (wanted === '' ? near : far).filter(
    (folder) => folder !== parent && folder !== path && !isBelow(folder, path),
  );
  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={false}
      padding={0}
      size={480}
      yOffset="10vh"
      centered={false}
      attributes={{ content: { 'aria-label': say('files.moveTo.title', { name: nameOf(path) }) } }}
    >
      <PickList
        label={say('files.moveTo.title', { name: nameOf(path) })}
        placeholder={say('files.moveTo.search')}
        search={search}
        setSearch={setSearch}
        none={say('files.moveTo.none')}
        entries={folders.map((folder) => ({
          id: folder,
          group: say('files.moveTo.title', { name: nameOf(path) }),
          node: (
            <>
              <Folder size={14} className="muted" aria-hidden />
              <span className="pick-name">{folder === '' ? say('files.root') : folder}</span>
            </>
          ),
          pick: () => {
            close();
            move(folder);
          },
        }))}
      />
    </Modal>
  );
}
