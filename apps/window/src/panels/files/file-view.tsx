import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, FileQuestionMark, GitCompareArrows, PanelLeftOpen, Pencil } from 'lucide-react';
import { Link } from 'react-router';
import { CleanText } from '../../parts/clean-text.tsx';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Answer, Empty, Failure, Loading } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';
import { startEdit, useEdit } from './editor/edits.ts';
import { FileBody } from './file-body.tsx';
import { type FileKind, KINDS_WITH_SOURCE, kindOf } from './file-kind.ts';
import { nameOf } from './paths.ts';
import type { FilePiece } from './pieces.ts';
import { headQuery, WHOLE_TEXT_BYTES } from './queries.ts';
import { ofEntry } from './tree-menu.tsx';
import { type FilesView, leaveEdit } from './use-files-view.ts';

const FileEditor = lazyPart(async () => (await import('./editor/file-editor.tsx')).FileEditor);
/** Kinds whose source is a text. */
const EDITABLE: ReadonlySet<FileKind> = new Set(['text', ...KINDS_WITH_SOURCE]);

interface ViewProps {
  id: string;
  view: FilesView;
  path: string;
}

/** Rendered, or as source. */
function Ways({ view: { place } }: { view: FilesView }) {
  const { say } = useWords();
  return (
    <div className="choice" role="group" aria-label={say('files.ways')}>
      <button type="button" aria-pressed={!place.isSource} onClick={() => place.setSource(false)}>
        {say('files.drawn')}
      </button>
      <button type="button" aria-pressed={place.isSource} onClick={() => place.setSource(true)}>
        {say('files.source')}
      </button>
    </div>
  );
}

function EditButton({ sessionId, path }: { sessionId: string; path: string }) {
  const { say } = useWords();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={say('files.edit')}
      title={say('files.edit')}
      onClick={() => startEdit(sessionId, path)}
    >
      <Pencil size={14} aria-hidden />
    </button>
  );
}

function HeadActions({ view, path }: { view: FilesView; path: string }) {
  const { say } = useWords();
  const { acts, marks, sessionId } = view;
  return (
    <>
      {marks.has(path) && (
        <Link
          className="icon-button"
          to={`/sessions/${sessionId}/changes#${encodeURIComponent(path)}`}
          aria-label={say('files.changes')}
          title={say('files.changes')}
        >
          <GitCompareArrows size={14} aria-hidden />
        </Link>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={say('files.download')}
        title={say('files.download')}
        onClick={() => acts.save(path)}
      >
        <Download size={14} aria-hidden />
      </button>
      <Menu
        className="file-menu"
        label={say('files.menu', { name: nameOf(path) })}
        entries={ofEntry({ path, isFolder: false }, view.menu)}
      />
    </>
  );
}

function Head({
  view,
  path,
  kind,
  head,
  isEditing,
}: {
  view: FilesView;
  path: string;
  kind: FileKind | undefined;
  head?: FilePiece;
  isEditing: boolean;
}) {
  const { say, bytes } = useWords();
  const { place, sessionId } = view;
  return (
    <header className="file-head">
      <button
        type="button"
        className="icon-button files-back"
        aria-label={say('files.showTree')}
        title={say('files.showTree')}
        onClick={() => place.show(undefined)}
      >
        <PanelLeftOpen size={14} aria-hidden />
      </button>
      <span className="path" title={path}>
        <CleanText text={path} />
      </span>
      {head && <span className="muted tabular file-size">{bytes(head.wholeBytes)}</span>}
      {kind && KINDS_WITH_SOURCE.has(kind) && !isEditing && <Ways view={view} />}
      {kind && EDITABLE.has(kind) && head && head.wholeBytes <= WHOLE_TEXT_BYTES && !isEditing && (
        <EditButton sessionId={sessionId} path={path} />
      )}
      <HeadActions view={view} path={path} />
    </header>
  );
}

/** Why a path cannot be opened, if the reason suggests what to do. */
const REASONS: Readonly<Record<string, 'folder' | 'outside' | 'denied'>> = {
  'path-not-a-file': 'folder',
  'path-outside': 'outside',
  'path-denied': 'denied',
};

function Unopened({ view, path, error, retry }: { view: FilesView; path: string; error: unknown; retry: () => void }) {
  const { say } = useWords();
  const { code, body } = error instanceof ApiError ? error : {};
  const why = REASONS[body?.reason ?? ''] ?? (code === 'FILE_NOT_FOUND' ? 'gone' : undefined);
  if (!why) return <Failure error={error} retry={retry} />;
  return (
    <Empty
      icon={<FileQuestionMark size={20} />}
      title={say(`files.${why}`)}
      action={why === 'folder' && <Button onClick={() => view.tree.enter(path)}>{say('files.folder.open')}</Button>}
    >
      {say(`files.${why}.why`)}
    </Empty>
  );
}

/** One file, in the most useful viewer. */
export function FileView({ id, view, path }: ViewProps) {
  const { say } = useWords();
  const { sessionId } = view;
  const query = useQuery(headQuery(sessionId, path));
  const isEditing = useEdit(sessionId, path) !== undefined;
  const kind = query.data && kindOf(path, query.data.bytes);
  return (
    <section id={id} className="file-view" role="tabpanel" aria-label={path}>
      <Head view={view} path={path} kind={kind} isEditing={isEditing} {...(query.data ? { head: query.data } : {})} />
      {isEditing ? (
        <Waiting fallback={<Loading lines={12} />}>
          <FileEditor
            sessionId={sessionId}
            path={path}
            line={view.place.line}
            done={() => leaveEdit({ sessionId, path, say })}
          />
        </Waiting>
      ) : query.isError ? (
        <Unopened view={view} path={path} error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Answer query={query} lines={12}>
          {(head) => <FileBody view={view} path={path} kind={kind ?? 'text'} head={head} />}
        </Answer>
      )}
    </section>
  );
}
