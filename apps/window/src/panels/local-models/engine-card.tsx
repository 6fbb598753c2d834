import '../../styles/local-engine.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, Loader } from 'lucide-react';
import {
  type Capacity,
  capacityQuery,
  type LocalRuntime,
  libraryQuery,
  OWN_ENGINE,
  runtimesQuery,
  unloadModel,
} from '../../wire/local-runtimes.ts';
import { useWords, type WordKey, type Words } from '../../words/words.ts';
import { InstallLibrary } from './engine-library.tsx';
import { useEngineAction } from './use-engine.ts';

const ICONS = {
  absent: CircleSlash,
  empty: CircleDashed,
  loading: Loader,
  ready: CircleCheck,
  stopping: Loader,
  failed: CircleAlert,
} as const;
type Shown = keyof typeof ICONS;

function shownOf({ state, runtimeState }: LocalRuntime): Shown {
  if (state === 'unavailable') return 'absent';
  return runtimeState in ICONS ? (runtimeState as Shown) : 'empty';
}

const REASONS: Record<string, WordKey> = {
  'program-missing': 'engine.why.program',
  'program-unusable': 'engine.why.program',
  'library-missing': 'engine.why.library',
  memory: 'engine.why.memory',
};

function wordsOf(engine: LocalRuntime, { say, number, percent }: Words): string {
  const held = engine.models.find(({ loaded }) => loaded);
  const shown = shownOf(engine);
  if (shown === 'loading') return say('engine.loading', { share: percent(engine.progress ?? 0) });
  if (shown === 'ready' && held)
    return say('engine.ready', { name: held.name ?? held.modelId, tokens: number(held.contextLength ?? 0) });
  if (shown === 'absent') return say(REASONS[engine.reason ?? ''] ?? 'engine.absent');
  if (shown === 'failed') return say(REASONS[engine.reason ?? ''] ?? 'engine.failed');
  return say(shown === 'stopping' ? 'engine.stopping' : 'engine.empty');
}

function Memory({ memory }: Pick<Capacity, 'memory'>) {
  const { say, bytes } = useWords();
  const used = memory.totalBytes - memory.freeBytes;
  const share = Math.round((used / memory.totalBytes) * 100);
  return (
    <div className="engine-memory">
      <span className="small muted">
        {say('engine.memory', { free: bytes(memory.freeBytes), of: bytes(memory.totalBytes) })}
      </span>
      <div
        className="model-track"
        role="meter"
        aria-label={say('engine.memory.used')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={say('localModel.amount', { done: bytes(used), of: bytes(memory.totalBytes) })}
      >
        <div className="model-fill" style={{ transform: `scaleX(${share / 100})` }} />
      </div>
    </div>
  );
}

/** An external engine: shown only when it is available. */
function Other({ runtime }: { runtime: LocalRuntime }) {
  const { say } = useWords();
  const { act, isBusy } = useEngineAction();
  const held = runtime.models.filter(({ loaded }) => loaded).length;
  return (
    <li className="engine-other small">
      <span>
        {say(`engine.other.${runtime.runtimeId as 'ollama' | 'lmstudio'}`)}
        <span className="muted"> · {say('engine.other.models', { count: runtime.models.length })}</span>
        {held > 0 && <span className="muted"> · {say('engine.other.held', { count: held })}</span>}
      </span>
      {held > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={isBusy}
          onClick={() => act(() => unloadModel(runtime.runtimeId))}
        >
          {say('engine.free')}
        </Button>
      )}
    </li>
  );
}

/** Memory in use and free memory. */
export function EngineCard() {
  const words = useWords();
  const { say } = words;
  const runtimes = useQuery(runtimesQuery).data;
  const capacity = useQuery(capacityQuery).data;
  const { act, isBusy } = useEngineAction();
  const engine = runtimes?.find(({ runtimeId }) => runtimeId === OWN_ENGINE);
  const isMissing = engine?.reason === 'library-missing';
  const library = useQuery({ ...libraryQuery, enabled: isMissing }).data;
  if (!engine) return null;
  const shown = shownOf(engine);
  const Icon = ICONS[shown];
  const others = runtimes?.filter(({ runtimeId, state }) => runtimeId !== OWN_ENGINE && state === 'observed') ?? [];
  const unused = capacity?.gpu?.filter(({ backend }) => backend !== 'none').map(({ name }) => name) ?? [];
  return (
    <section className="engine-card" aria-label={say('engine.title')} data-state={shown}>
      <div className="engine-row">
        <p className="engine-state" role="status">
          <Icon size={16} aria-hidden />
          {library?.state === 'running' ? say('engineLibrary.installing') : wordsOf(engine, words)}
        </p>
        {(shown === 'ready' || shown === 'loading') && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy}
            onClick={() => act(() => unloadModel(OWN_ENGINE))}
          >
            {say(shown === 'ready' ? 'engine.free' : 'engine.stop')}
          </Button>
        )}
        {capacity && <Memory memory={capacity.memory} />}
      </div>
      {isMissing && library && <InstallLibrary library={library} />}
      {unused.length > 0 && <p className="small muted">{say('engine.cards', { cards: unused.join(', ') })}</p>}
      {others.length > 0 && (
        <ul className="engine-others">
          {others.map((runtime) => (
            <Other key={runtime.runtimeId} runtime={runtime} />
          ))}
        </ul>
      )}
    </section>
  );
}
