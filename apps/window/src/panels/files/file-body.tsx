import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, FileQuestionMark } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Markdown } from '../../parts/markdown.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';
import { type FileKind, KINDS_WITH_SOURCE } from './file-kind.ts';
import { encodingOf, type FilePiece, fileAddress, MAX_DOWNLOAD_BYTES, previewAddress } from './pieces.ts';
import { bytesQuery, WHOLE_TEXT_BYTES } from './queries.ts';
import type { FilesView } from './use-files-view.ts';
import { GuestView } from './viewers/guest-view.tsx';
import { ImageView } from './viewers/image-view.tsx';
import { LargeText } from './viewers/large-text.tsx';
import { PageView } from './viewers/page-view.tsx';
import { TableView } from './viewers/table-view.tsx';
import { TextView } from './viewers/text-view.tsx';
import { VectorView } from './viewers/vector-view.tsx';

interface BodyProps {
  view: FilesView;
  path: string;
  kind: FileKind;
  head: FilePiece;
}

interface WholeProps extends Omit<BodyProps, 'kind'> {
  children: (bytes: Bytes) => ReactNode;
}

/** All bytes of a file below the size limit of its viewer. */
function Whole(props: WholeProps) {
  const { head, children } = props;
  return head.bytes.length >= head.wholeBytes ? children(head.bytes) : <Rest {...props} />;
}

function Rest({ view, path, head, children }: WholeProps) {
  const query = useQuery(bytesQuery(view.sessionId, path, head.wholeBytes));
  return (
    <Answer query={query} lines={12}>
      {children}
    </Answer>
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Message for a file that is not shown. */
function Unshown({ view, path, title, head }: Omit<BodyProps, 'kind'> & { title: string }) {
  const { say, bytes } = useWords();
  return (
    <Empty
      icon={<FileQuestionMark size={20} />}
      title={title}
      action={
        <Button leftSection={<Download size={14} aria-hidden />} onClick={() => view.acts.save(path)}>
          {say('files.download')}
        </Button>
      }
    >
      {bytes(head.wholeBytes)}
    </Empty>
  );
}

function TextBody({ view, path, kind, bytes }: { view: FilesView; path: string; kind: FileKind; bytes: Bytes }) {
  const text = useMemo(() => new TextDecoder(encodingOf(bytes, true)).decode(bytes), [bytes]);
  if (kind === 'markdown' && !view.place.isSource)
    return (
      <div className="file-prose" tabIndex={0} role="group" aria-label={path}>
        <Markdown text={text} />
      </div>
    );
  if (kind === 'table' && !view.place.isSource) return <TableView path={path} text={text} />;
  return <TextView path={path} text={text} place={view.place} />;
}

/** The content of a file. Viewers that need the whole file have a size limit. */
export function FileBody({ view, path, kind, head }: BodyProps) {
  const { say } = useWords();
  const { sessionId, version, place } = view;
  const props = { view, path, head };
  // Viewers restart when the content changed; while it has no ETag yet, on any change of the folder.
  const drawn = head.version ?? `${version}`;
  const isSmall = head.wholeBytes <= MAX_DOWNLOAD_BYTES;
  if (kind === 'binary') return <Unshown {...props} title={say('files.binary')} />;
  if (place.isSource && KINDS_WITH_SOURCE.has(kind)) return <Text {...props} kind="text" />;
  if (!isSmall && kind !== 'text') return <Unshown {...props} title={say('files.tooLarge')} />;
  switch (kind) {
    case 'image':
      return <ImageView key={drawn} path={path} url={`${fileAddress({ sessionId, path })}#${drawn}`} />;
    case 'pdf':
      return (
        <iframe
          key={drawn}
          className="file-frame"
          title={path}
          src={`${previewAddress({ sessionId, path })}#navpanes=0`}
        />
      );
    case 'document':
    case 'presentation':
      return <Whole {...props}>{(bytes) => <GuestView key={drawn} path={path} kind={kind} bytes={bytes} />}</Whole>;
    case 'page':
      return <PageView sessionId={sessionId} path={path} version={version} />;
    case 'vector':
      if (head.wholeBytes <= WHOLE_TEXT_BYTES)
        return <Whole {...props}>{(bytes) => <VectorView path={path} bytes={bytes} />}</Whole>;
      return <Text {...props} kind={kind} />;
    default:
      return <Text {...props} kind={kind} />;
  }
}

function Text({ kind, ...props }: BodyProps) {
  if (props.head.wholeBytes > WHOLE_TEXT_BYTES)
    return <LargeText sessionId={props.view.sessionId} path={props.path} head={props.head} />;
  return (
    <Whole {...props}>{(bytes) => <TextBody view={props.view} path={props.path} kind={kind} bytes={bytes} />}</Whole>
  );
}
