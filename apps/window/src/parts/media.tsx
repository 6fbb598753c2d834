import type { StoredMedia } from '@fucina/conversation';
import { FileText } from 'lucide-react';
import { api } from '../wire/client.ts';
import { useWords } from '../words/words.ts';

/** Audio of a tool as a player, a PDF as a download. */
export function MediaList({ media }: { media: readonly StoredMedia[] }) {
  const { bytes } = useWords();
  return (
    <ul className="media">
      {media.map(({ id, name, mimeType, sizeBytes }, at) => {
        const url = api.address('get', '/ext/media/{mediaHash}', { path: { mediaHash: id } });
        return (
          <li key={`${id} ${at}`}>
            {mimeType === 'application/pdf' ? (
              <a className="media-file" href={url} download={fileName(name)}>
                <FileText size={14} aria-hidden />
                {fileName(name)}
                <span className="small muted">{bytes(sizeBytes)}</span>
              </a>
            ) : (
              <audio controls preload="none" src={url} aria-label={name} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The last part of an address. */
function fileName(name: string): string {
  const last =
    name
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? name;
  return /\.pdf$/i.test(last) ? last : `${last}.pdf`;
}
