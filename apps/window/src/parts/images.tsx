import type { Picture } from '@fucina/conversation';
import { openOverlay } from '../shell/overlay-state.ts';
import { api } from '../wire/client.ts';
import { useWords } from '../words/words.ts';

/** Thumbnails of stored images; each opens in full. */
export function Images({ images }: { images: readonly Picture[] }) {
  const { say } = useWords();
  const shown = images.map(({ id, name }, at) => ({
    url: api.address('get', '/chat-images/{imageHash}', { path: { imageHash: id } }),
    name: name ?? say('image.unnamed', { count: at + 1 }),
  }));
  return (
    <ul className="images">
      {shown.map(({ url, name }, at) => (
        <li key={`${url} ${at}`}>
          <a
            href={url}
            target="_blank"
            rel="noopener"
            title={name}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              openOverlay({ kind: 'image', images: shown, at });
            }}
          >
            <img src={url} alt={name} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  );
}
