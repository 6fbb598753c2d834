import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, FileQuestionMark } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Markdown } from '../../parts/markdown.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { itemAddress, type LibraryItem } from '../../wire/library.ts';
import { useWords } from '../../words/words.ts';
import type { FileKind } from '../files/file-kind.ts';
import { encodingOf, MAX_DOWNLOAD_BYTES } from '../files/pieces.ts';
import { WHOLE_TEXT_BYTES } from '../files/queries.ts';
import type { FilePlace } from '../files/use-file-place.ts';
import { GuestView } from '../files/viewers/guest-view.tsx';
import { ImageView } from '../files/viewers/image-view.tsx';
import { SandboxedPage } from '../files/viewers/page-view.tsx';
import { TableView } from '../files/viewers/table-view.tsx';
import { TextView } from '../files/viewers/text-view.tsx';
import { VectorView } from '../files/viewers/vector-view.tsx';
import { type ItemBytes, intactItemQuery, itemBytesQuery, itemPageQuery } from './item-bytes.ts';
import { kindOfItem, shownKind } from './item-kind.ts';

interface BodyProps {
  sessionId: string;
  item: LibraryItem;
}

type Bytes = ItemBytes['bytes'];

function Unshown({ item, title, download, wholeBytes }: UnshownProps) {
  const { say, bytes } = useWords();
  return (
    <Empty
      icon={<FileQuestionMark size={20} aria-hidden />}
      title={title ?? say('library.unshown')}
      action={
        <Button leftSection={<Download size={14} aria-hidden />} onClick={() => download(item)}>
          {say('files.download')}
        </Button>
      }
    >
      <p>{say('library.unshown.why')}</p>
      <p className="tabular">{bytes(wholeBytes)}</p>
    </Empty>
  );
}

interface UnshownProps {
  item: LibraryItem;
  title?: string;
  wholeBytes: number;
  download: (item: LibraryItem) => void;
}

/** Loaded directly from the server once its content was verified. */
function Sound({ sessionId, item, children }: BodyProps & { children: (url: string) => ReactNode }) {
  const query = useQuery(intactItemQuery(sessionId, item.id));
  return (
    <Answer query={query} lines={12}>
      {() => children(itemAddress(sessionId, item.id, 'preview'))}
    </Answer>
  );
}

function Page({ sessionId, item }: BodyProps) {
  const query = useQuery(itemPageQuery(sessionId, item.id));
  return (
    <Answer query={query} lines={12}>
      {(url) => <SandboxedPage name={item.name} url={url} />}
    </Answer>
  );
}

/** A text, scrolled to the user's position; that is not in the address. */
function Text({ item, bytes, isMarkdown }: { item: LibraryItem; bytes: Bytes; isMarkdown: boolean }) {
  const text = useMemo(() => new TextDecoder(encodingOf(bytes, true)).decode(bytes), [bytes]);
  const [line, setLine] = useState<number>();
  const place: FilePlace = {
    path: item.name,
    line,
    isSource: false,
    show: () => undefined,
    setLine,
    setSource: () => undefined,
  };
  if (!isMarkdown) return <TextView path={item.name} text={text} place={place} />;
  return (
    <div className="file-prose" tabIndex={0} role="group" aria-label={item.name}>
      <Markdown text={text} />
    </div>
  );
}

function Read({ item, kind, bytes }: { item: LibraryItem; kind: FileKind; bytes: Bytes }) {
  if (kind === 'vector') return <VectorView path={item.name} bytes={bytes} />;
  if (kind === 'document' || kind === 'presentation') {
    return <GuestView path={item.name} kind={kind} bytes={bytes} />;
  }
  if (kind === 'table') {
    return <TableView path={item.name} text={new TextDecoder(encodingOf(bytes, true)).decode(bytes)} />;
  }
  return <Text item={item} bytes={bytes} isMarkdown={kind === 'markdown'} />;
}

const IS_WORDS: ReadonlySet<FileKind> = new Set(['text', 'markdown', 'table', 'vector']);

function Carried({
  sessionId,
  item,
  kind,
  download,
}: BodyProps & Pick<UnshownProps, 'download'> & { kind?: FileKind }) {
  const { say } = useWords();
  const most = kind === 'document' || kind === 'presentation' ? MAX_DOWNLOAD_BYTES : WHOLE_TEXT_BYTES;
  const query = useQuery(itemBytesQuery(sessionId, item.id, most));
  return (
    <Answer query={query} lines={12}>
      {({ bytes, wholeBytes, isTooLarge }) => {
        const facts = { item, wholeBytes, download };
        // The browser shows texts of any length directly, sandboxed.
        if (isTooLarge && kind === 'text')
          return <Frame url={itemAddress(sessionId, item.id, 'preview')} name={item.name} />;
        if (isTooLarge) return <Unshown {...facts} {...(kind ? { title: say('files.tooLarge') } : {})} />;
        const shown = shownKind(item.name, bytes);
        const isDeclaredKind = kind === undefined || kind === shown || (IS_WORDS.has(kind) && IS_WORDS.has(shown));
        if (shown === 'binary' || !isDeclaredKind) return <Unshown {...facts} />;
        return <Read key={item.updatedAt} item={item} kind={kind ?? shown} bytes={bytes} />;
      }}
    </Answer>
  );
}

const Frame = ({ url, name }: { url: string; name: string }) => (
  <iframe className="file-frame" title={name} src={url} />
);

/** The content of an item, shown so that it cannot run anything. */
export function ItemBody({ download, ...props }: BodyProps & Pick<UnshownProps, 'download'>) {
  const { item } = props;
  const kind = kindOfItem(item);
  switch (kind) {
    case 'pdf':
      return <Sound {...props}>{(url) => <Frame url={`${url}#navpanes=0`} name={item.name} />}</Sound>;
    case 'image':
      return <Sound {...props}>{(url) => <ImageView path={item.name} url={url} />}</Sound>;
    case 'page':
      return <Page {...props} />;
    default:
      return <Carried {...props} {...(kind ? { kind } : {})} download={download} />;
  }
}
