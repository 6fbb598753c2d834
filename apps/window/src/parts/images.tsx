import type { Picture } from '@fucina/conversation';
import { address } from '../wire/call.ts';
import { useWords } from '../words/words.ts';

/** Pictures kept by the server, small; each opens whole in a page of its own. */
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
