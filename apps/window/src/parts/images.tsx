import type { Picture } from '@fucina/conversation';
import { address } from '../wire/call.ts';
import { useWords } from '../words/words.ts';

/** Thumbnails of stored images; each opens in full on its own page. */
export function Images({ images }: { images: readonly Picture[] }) {
  const { say } = useWords();
  return (
    <ul className="images">
      {images.map(({ id, name: named }, at) => {
        const url = address(['chat-images', id]);
        const name = named ?? say('image.unnamed', { count: at + 1 });
        return (
          <li key={`${id} ${at}`}>
            <a href={url} target="_blank" rel="noopener" title={name}>
              <img src={url} alt={name} loading="lazy" />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
