import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../../styles/overlays.css';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp, Folder, FolderGit2, FolderPlus } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { useFocusRestore } from '../../shell/focus-restore.ts';
import { api } from '../../wire/client.ts';
import { browserQuery, frequentQuery, projectsQuery } from '../../wire/folders.ts';
import type { FolderListing } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { type FolderChoice, nameOf } from './choices.ts';

interface PickerProps {
  choose: (folder: FolderChoice) => void;
  close: () => void;
}

function Place({ icon, name, detail, act }: { icon: ReactNode; name: string; detail?: string; act: () => void }) {
  return (
    <li>
      <button type="button" className="place" onClick={act} title={detail ?? name}>
        {icon}
        <span className="place-name">{name}</span>
      </button>
    </li>
  );
}

/** Projects with their paths if known, and other suggested folders, each once. */
function useKnown(): { projects: FolderChoice[]; others: { label: string; path: string }[] } {
  const start = useQuery(browserQuery(undefined)).data?.recommended ?? [];
  const projects = useQuery(projectsQuery).data ?? [];
  const frequent = useQuery(frequentQuery).data ?? [];
  const others = new Map<string, string>();
  const isProject = (path: string) => start.some((place) => place.kind === 'project' && place.path === path);
  for (const { path, label } of frequent) if (!isProject(path)) others.set(path, label);
  for (const { path, label, kind } of start) if (kind !== 'project' && !others.has(path)) others.set(path, label);
  return {
    projects: projects.map(({ id, name }) => {
      const path = start.find((place) => place.projectId === id)?.path;
      return { projectId: id, name: name, ...(path ? { path } : {}) };
    }),
    others: [...others].map(([path, label]) => ({ path, label })),
  };
}

function Known({ choose }: { choose: (folder: FolderChoice) => void }) {
  const { say } = useWords();
  const { projects, others } = useKnown();
  return (
    <div className="places">
      {projects.length > 0 && (
        <>
          <h3>{say('folder.projects')}</h3>
          <ul>
            {projects.map((project) => (
              <Place
                key={nameOf(project) + project.path}
                icon={<FolderGit2 size={14} aria-hidden />}
                name={nameOf(project)}
                {...(project.path ? { detail: project.path } : {})}
                act={() => choose(project)}
              />
            ))}
          </ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>{say('folder.frequent')}</h3>
          <ul>
            {others.map(({ path, label }) => (
              <Place
                key={path}
                icon={<Folder size={14} aria-hidden />}
                name={label}
                detail={path}
                act={() => choose({ path })}
              />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function NewFolder({ parent, made }: { parent: string; made: (path: string) => void }) {
  const { say } = useWords();
  const [name, setName] = useState<string>();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (folder: string) =>
      api.post('/workspace-browser/folders', { body: { parentPath: parent, name: folder } }),
    onSuccess: async ({ path }) => {
      setName(undefined);
      await client.invalidateQueries({ queryKey: ['browser'] });
      made(path);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name?.trim()) create.mutate(name.trim());
  };
  if (name === undefined) {
    return (
      <button type="button" className="text-button" onClick={() => setName('')}>
        <FolderPlus size={14} aria-hidden /> {say('folder.create')}
      </button>
    );
  }
  return (
    <form className="new-folder" onSubmit={submit}>
      <input
        autoFocus
        className="input"
        aria-label={say('folder.name')}
        placeholder={say('folder.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
        {say('act.create')}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => setName(undefined)}>
        {say('act.cancel')}
      </Button>
      {create.error && <Failure error={create.error} />}
    </form>
  );
}

const isHidden = ({ name }: { name: string }) => name.startsWith('.');

function Listing({ listing, go }: { listing: FolderListing; go: (path: string) => void }) {
  const { say } = useWords();
  const [showsHidden, setShowsHidden] = useState(false);
  const hidden = listing.items.filter(isHidden);
  const items = [...listing.items.filter((item) => !isHidden(item)), ...(showsHidden ? hidden : [])];
  return (
    <ul className="listing" aria-label={listing.path}>
      {listing.parent !== null && (
        <Place
          icon={<ArrowUp size={14} aria-hidden />}
          name={say('folder.up')}
          act={() => go(listing.parent ?? listing.root)}
        />
      )}
      {items.map((item) => (
        <Place
          key={item.path}
          icon={item.projectId ? <FolderGit2 size={14} aria-hidden /> : <Folder size={14} aria-hidden />}
          name={item.name}
          detail={item.path}
          act={() => go(item.path)}
        />
      ))}
      {items.length === 0 && <li className="muted small listing-none">{say('folder.none')}</li>}
      {hidden.length > 0 && (
        <li>
          <button type="button" className="text-button small" onClick={() => setShowsHidden(!showsHidden)}>
            {showsHidden ? say('folder.hidden.hide') : say('folder.hidden.show', { count: hidden.length })}
          </button>
        </li>
      )}
    </ul>
  );
}

/** The listed folder, and a field to type or paste a path. */
function PathField({ path, go }: { path: string; go: (path: string) => void }) {
  const { say } = useWords();
  const [text, setText] = useState(path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) go(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <input
        className="input browser-path"
        aria-label={say('folder.path')}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

/** Known folders, and a browser for all others. */
export function FolderPicker({ choose, close }: PickerProps) {
  const { say } = useWords();
  useFocusRestore();
  const [path, setPath] = useState<string>();
  const query = useQuery(browserQuery(path));
  const take = (folder: FolderChoice) => {
    choose(folder);
    close();
  };
  return (
    <Modal
      opened
      onClose={close}
      size={760}
      title={say('folder.title')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <div className="picker">
        <Known choose={take} />
        <div className="browser">
          <Answer query={query} lines={8}>
            {(listing) => {
              const known = [...listing.items, ...listing.recommended].find((item) => item.path === listing.path);
              return (
                <>
                  <PathField key={listing.path} path={listing.path} go={setPath} />
                  <Listing listing={listing} go={setPath} />
                  <footer className="browser-foot">
                    <NewFolder parent={listing.path} made={setPath} />
                    <Button
                      variant="filled"
                      onClick={() =>
                        take(
                          known?.projectId
                            ? { projectId: known.projectId, name: nameOf({ path: listing.path }), path: listing.path }
                            : { path: listing.path },
                        )
                      }
                    >
                      {say('folder.use', { name: nameOf({ path: listing.path }) })}
                    </Button>
                  </footer>
                </>
              );
            }}
          </Answer>
        </div>
      </div>
    </Modal>
  );
}
