import '../styles/share.css';
import { type Conversation, EMPTY, fold } from '@fucina/conversation';
import {
  type Share,
  type ShareChoice,
  shareLabels,
  shareMarkdown,
  shareOf,
  sharePage,
} from '@fucina/conversation/sharing';
import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { CopyButton } from '../parts/ref.tsx';
import { Answer } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { readExport } from '../wire/export.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';

const FORMATS = ['page', 'markdown', 'json'] as const;
type Format = (typeof FORMATS)[number];

const FILES: Readonly<Record<Format, { ending: string; type: string }>> = {
  page: { ending: 'html', type: 'text/html' },
  markdown: { ending: 'md', type: 'text/markdown' },
  json: { ending: 'json', type: 'application/json' },
};
/** Of a longer text the preview shows the beginning. */
const PREVIEW_CHARS = 20_000;

interface Exported {
  json: string;
  conversation: Conversation;
}

async function readSession(sessionId: string): Promise<Exported> {
  const { document, events } = await readExport(sessionId);
  return { json: JSON.stringify(document, undefined, 2), conversation: fold(EMPTY, events) };
}

function saveText(text: string, { name, format }: { name: string; format: Format }): void {
  const { ending, type } = FILES[format];
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || 'session'}.${ending}`;
  link.click();
  URL.revokeObjectURL(url);
}

function Removed({ removed }: Pick<Share, 'removed'>) {
  const { say } = useWords();
  if (removed.length === 0) return <p className="muted small">{say('share.clean')}</p>;
  return (
    <details className="share-removed">
      <summary>{say('share.removed', { count: removed.length })}</summary>
      <ul>
        {removed.map(({ kind, hint, count }, at) => (
          <li key={at}>
            {say(`share.kind.${kind}`)} <code>{hint}</code>
            {count > 1 && <span className="muted"> × {count}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Document({ exported, name }: { exported: Exported; name: string }) {
  const { say, language } = useWords();
  const [format, setFormat] = useState<Format>('page');
  const [choice, setChoice] = useState<ShareChoice>({ hasReasoning: false, hasOutput: true, hasChanges: true });
  const labels = useMemo(() => shareLabels(language), [language]);
  const share = useMemo(
    () => shareOf(exported.conversation, { title: name, choice, labels }),
    [exported, name, choice, labels],
  );
  const markdown = useMemo(() => shareMarkdown(share, labels), [share, labels]);
  const texts: Record<Format, () => string> = {
    page: () => sharePage(share, labels, language),
    markdown: () => markdown,
    json: () => exported.json,
  };
  const preview = format === 'json' ? exported.json : markdown;
  const toggles = [
    ['hasOutput', 'share.output'],
    ['hasChanges', 'share.changes'],
    ['hasReasoning', 'share.reasoning'],
  ] as const;
  return (
    <>
      <div className="choice" role="group" aria-label={say('share.format')}>
        {FORMATS.map((one) => (
          <button key={one} type="button" aria-pressed={one === format} onClick={() => setFormat(one)}>
            {say(`share.format.${one}`)}
          </button>
        ))}
      </div>
      {format === 'json' ? (
        <p className="small">{say('share.json')}</p>
      ) : (
        <>
          <div className="share-toggles">
            {toggles.map(([key, label]) => (
              <Switch
                key={key}
                label={say(label)}
                isOn={choice[key]}
                change={(isOn) => setChoice({ ...choice, [key]: isOn })}
              />
            ))}
          </div>
          <Removed removed={share.removed} />
        </>
      )}
      <pre className="share-preview" tabIndex={0} aria-label={say('share.preview')} role="region">
        {preview.slice(0, PREVIEW_CHARS)}
        {preview.length > PREVIEW_CHARS && '\n…'}
      </pre>
      <div className="dialog-foot">
        {format === 'markdown' && <CopyButton value={markdown} />}
        <Button onClick={closeOverlay}>{say('act.cancel')}</Button>
        <Button
          variant="filled"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => {
            saveText(texts[format](), { name: share.title, format });
            closeOverlay();
          }}
        >
          {say('share.save')}
        </Button>
      </div>
    </>
  );
}

/** Saves a session as a page, as Markdown or as JSON, after a look at what is in it. */
export function ShareDialog({ sessionId, name }: { sessionId: string; name: string }) {
  const { say } = useWords();
  const query = useQuery({
    queryKey: ['share', sessionId],
    queryFn: () => readSession(sessionId),
    gcTime: 0,
    retry: false,
  });
  return (
    <Modal
      opened
      size={720}
      onClose={closeOverlay}
      title={say('share.title')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <div className="share">
        <Answer query={query} lines={10}>
          {(exported) => <Document exported={exported} name={name} />}
        </Answer>
      </div>
    </Modal>
  );
}
