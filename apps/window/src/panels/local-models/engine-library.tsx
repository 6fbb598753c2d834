import { Button } from '@mantine/core';
import { cancelLibrary, type EngineLibrary, installLibrary } from '../../wire/local-runtimes.ts';
import { useWords, type WordKey } from '../../words/words.ts';
import { Progress } from './progress.tsx';
import { useEngineAction } from './use-engine.ts';

const PROBLEMS: Record<string, WordKey> = {
  'npm-missing': 'engineLibrary.why.npm',
  unreachable: 'engineLibrary.why.unreachable',
  'not-found': 'engineLibrary.why.notFound',
  damaged: 'engineLibrary.why.damaged',
  'disk-full': 'engineLibrary.why.disk',
};

/** Installs the library of our own engine, when the package came without it. */
export function InstallLibrary({ library }: { library: EngineLibrary }) {
  if (library.stato === 'installata' || library.stato === 'non-disponibile') return null;
  return library.stato === 'in-corso' ? <Installing library={library} /> : <Offer library={library} />;
}

function Installing({ library: { byte, byteTotali } }: { library: EngineLibrary }) {
  const { say, bytes } = useWords();
  const { act, isBusy } = useEngineAction();
  // npm reports no total; what is on the disk may exceed the sum for a moment.
  const percent = Math.min(99, Math.floor((byte / Math.max(1, byteTotali)) * 100));
  return (
    <div className="engine-row">
      <Progress
        label={say('engineLibrary.installing')}
        percent={percent}
        text={say('localModel.amount', { done: bytes(Math.min(byte, byteTotali)), of: bytes(byteTotali) })}
      />
      <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => act(cancelLibrary)}>
        {say('engineLibrary.cancel')}
      </Button>
    </div>
  );
}

function Offer({ library: { problema, dettaglio, byteTotali, versione } }: { library: EngineLibrary }) {
  const { say, bytes } = useWords();
  const { act, isBusy } = useEngineAction();
  return (
    <div className="engine-row">
      <p className="small muted engine-offer">
        {problema
          ? say(PROBLEMS[problema] ?? 'engineLibrary.why.failed', { code: dettaglio ?? '?' })
          : say('engineLibrary.offer', { version: versione ?? '', size: bytes(byteTotali) })}
      </p>
      <Button size="compact-sm" disabled={isBusy} onClick={() => act(installLibrary)}>
        {say(problema ? 'engineLibrary.again' : 'engineLibrary.install')}
      </Button>
    </div>
  );
}
