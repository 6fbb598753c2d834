import { CircleAlert, File, LoaderCircle, TextCursorInput, X } from 'lucide-react';
import { Failure } from '../../../parts/states.tsx';
import { api } from '../../../wire/client.ts';
import { useWords } from '../../../words/words.ts';
import type { Attachment } from './attachment.ts';
import type { Attachments as Held } from './use-attachments.ts';

function Shown({ one }: { one: Attachment }) {
  const { say } = useWords();
  if (one.state === 'sending')
    return <LoaderCircle size={14} className="spin accent" aria-label={say('attach.sending')} />;
  if (one.state === 'failed') return <CircleAlert size={14} className="danger" aria-label={say('attach.failed')} />;
  if (one.image)
    return (
      <img
        className="thumb"
        src={api.address('get', '/chat-images/{imageHash}', { path: { imageHash: one.image.id } })}
        alt=""
      />
    );
  return <File size={14} aria-hidden />;
}

/** Attachments of the draft message. */
export function Attachments({ attachments, insert }: { attachments: Held; insert?: (text: string) => void }) {
  const { say } = useWords();
  const failed = attachments.all.filter((one) => one.state === 'failed');
  return (
    <>
      <ul className="attachments" aria-label={say('attach.all')}>
        {attachments.all.map((one) => (
          <li key={one.id} className="attachment" data-state={one.state}>
            <Shown one={one} />
            <span className="attachment-name" title={one.path ?? one.name}>
              {one.path ?? one.name}
            </span>
            {one.text !== undefined && insert && (
              <button
                type="button"
                className="icon-button"
                aria-label={say('attach.insert')}
                title={say('attach.insert')}
                onClick={() => {
                  attachments.remove(one.id);
                  insert(one.text ?? '');
                }}
              >
                <TextCursorInput size={14} aria-hidden />
              </button>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={say('attach.remove', { name: one.name })}
              title={say('act.remove')}
              onClick={() => attachments.remove(one.id)}
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {failed[0] && <Failure error={failed[0].error} />}
    </>
  );
}
