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
  if (library.state === 'installed' || library.state === 'not-available') return null;
  return library.state === 'running' ? <Installing library={library} /> : <Offer library={library} />;
}

function Installing({ library: { bytes: byte, totalBytes } }: { library: EngineLibrary }) {
  const { say, bytes } = useWords();
  const { act, isBusy } = useEngineAction();
  // npm reports no total; what is on the disk may exceed the sum for a moment.
  const percent = Math.min(99, Math.floor((byte / Math.max(1, totalBytes)) * 100));
  return (
    <div className="engine-row">
      <Progress
        label={say('engineLibrary.installing')}
        percent={percent}
        text={say('localModel.amount', { done: bytes(Math.min(byte, totalBytes)), of: bytes(totalBytes) })}
      />
      <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => act(cancelLibrary)}>
        {say('engineLibrary.cancel')}
      </Button>
    </div>
  );
}

function Offer({ library: { problem, detail, totalBytes, version } }: { library: EngineLibrary }) {
  const { say, bytes } = useWords();
  const { act, isBusy } = useEngineAction();
  return (
    <div className="engine-row">
      <p className="small muted engine-offer">
        {problem
          ? say(PROBLEMS[problem] ?? 'engineLibrary.why.failed', { code: detail ?? '?' })
          : say('engineLibrary.offer', { version: version ?? '', size: bytes(totalBytes) })}
      </p>
      <Button size="compact-sm" disabled={isBusy} onClick={() => act(installLibrary)}>
        {say(problem ? 'engineLibrary.again' : 'engineLibrary.install')}
      </Button>
    </div>
  );
}
