import '@mantine/core/styles/Kbd.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../styles/forms.css';
import '../styles/overlays.css';
import { Button, Kbd, Modal } from '@mantine/core';
import { useState } from 'react';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Failure } from '../parts/states.tsx';
import { useWords } from '../words/words.ts';
import { Help } from './help.tsx';
import { closeOverlay, type Overlay } from './overlay-state.ts';
import { Palette } from './palette.tsx';
import { SessionSettings } from './session-settings.tsx';
import { SHORTCUTS } from './shortcut-list.ts';

const RenameDialog = lazyPart(async () => (await import('./rename-dialog.tsx')).RenameDialog);
const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);
const ImageViewer = lazyPart(async () => (await import('./image-viewer.tsx')).ImageViewer);
const ModelPicker = lazyPart(async () => (await import('../panels/models/model-picker.tsx')).ModelPicker);

const Keys = ({ keys }: { keys: readonly string[] }) => keys.map((key) => <Kbd key={key}>{key}</Kbd>);

function Shortcuts() {
  const { say } = useWords();
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title={say('shortcut.title')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
    >
      <dl className="shortcuts">
        {SHORTCUTS.map(({ keys, or, does }) => (
          <div key={keys.join()} className="shortcut">
            <dt>{say(does)}</dt>
            <dd>
              <Keys keys={keys} />
              {or && (
                <>
                  <span className="muted small">{say('shortcut.or')}</span>
                  <Keys keys={or} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

function Confirm({ overlay }: { overlay: Extract<Overlay, { kind: 'confirm' }> }) {
  const { say } = useWords();
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = () => {
    setState({ isBusy: true });
    overlay.run().then(closeOverlay, (error: unknown) => setState({ isBusy: false, error }));
  };
  return (
    <Modal opened onClose={closeOverlay} title={overlay.title} closeButtonProps={{ 'aria-label': say('act.close') }}>
      {typeof overlay.text === 'string' ? <p>{overlay.text}</p> : overlay.text}
      {state.error !== undefined && <Failure error={state.error} />}
      <div className="dialog-foot">
        <Button data-autofocus onClick={closeOverlay}>
          {say('act.cancel')}
        </Button>
        <Button variant="filled" color={overlay.isDangerous ? 'danger' : 'accent'} loading={state.isBusy} onClick={run}>
          {overlay.act}
        </Button>
      </div>
    </Modal>
  );
}

export function Overlays({ overlay }: { overlay: Overlay }) {
  const { say } = useWords();
  switch (overlay.kind) {
    case 'palette':
      return <Palette />;
    case 'shortcuts':
      return <Shortcuts />;
    case 'model':
      return <ModelPicker value={overlay.value} choose={overlay.choose} />;
    case 'sessionSettings':
      return <SessionSettings sessionId={overlay.sessionId} />;
    case 'rename':
      return <RenameDialog sessionId={overlay.sessionId} name={overlay.name} />;
    case 'share':
      return <ShareDialog sessionId={overlay.sessionId} name={overlay.name} />;
    case 'help':
      return <Help />;
    case 'image':
      return <ImageViewer images={overlay.images} at={overlay.at} />;
    case 'failure':
      return (
        <Modal
          opened
          onClose={closeOverlay}
          title={overlay.title}
          closeButtonProps={{ 'aria-label': say('act.close') }}
        >
          <Failure error={overlay.error} />
        </Modal>
      );
    case 'confirm':
      return <Confirm overlay={overlay} />;
  }
}
