import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  loadModel,
  type ModelFit,
  modelFitQuery,
  OWN_ENGINE,
  type Qualified,
  qualifyModel,
  runtimesQuery,
  unloadModel,
} from '../../wire/local-runtimes.ts';
import { useWords, type WordKey } from '../../words/words.ts';
import { useEngineAction } from './use-engine.ts';

const CONTEXTS = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072];
const TRIED_TOKENS = 4_096;

const VERDICTS: Record<string, WordKey> = {
  'compatible fits': 'engine.fit.fits',
  'chat-only context': 'engine.fit.context',
  'chat-only template': 'engine.fit.template',
  'chat-only capabilities': 'engine.fit.capabilities',
  'blocked memory': 'engine.fit.memory',
  'blocked context': 'engine.fit.short',
};

function verdictOf({ state, reason }: ModelFit): WordKey {
  return VERDICTS[`${state} ${reason}`] ?? 'engine.fit.unknown';
}

/** Whether an installed model can run here, and the memory it needs. */
export function FitBar({ modelId, contextTokens }: { modelId: string; contextTokens?: number | undefined }) {
  const { say, bytes, number } = useWords();
  const fit = useQuery(modelFitQuery(modelId, contextTokens)).data;
  if (!fit) return null;
  const { requiredBytes, availableBytes } = fit.memory;
  const share = availableBytes ? Math.min(100, Math.round((requiredBytes / availableBytes) * 100)) : 0;
  const text = say(verdictOf(fit), {
    needs: bytes(requiredBytes),
    has: bytes(availableBytes ?? 0),
    tokens: number(fit.context.availableTokens ?? 0),
  });
  return (
    <div
      className="model-fit"
      data-verdict={fit.state === 'blocked' ? 'memory' : fit.state === 'chat-only' ? 'chat' : 'fits'}
    >
      <span className="small">{text}</span>
      <div
        className="model-track"
        role="meter"
        aria-label={say('localModel.fit.memoryBar')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={say('localModel.amount', { done: bytes(requiredBytes), of: bytes(availableBytes ?? 0) })}
      >
        <div className="model-fill" style={{ transform: `scaleX(${share / 100})` }} />
      </div>
    </div>
  );
}

function Speed({ performance }: Pick<Qualified, 'performance'>) {
  const { say, number, duration } = useWords();
  const { ttftMs, tokensPerSecond } = performance;
  return (
    <p className="small" role="status">
      {say('engine.tried', {
        first: duration(ttftMs.value ?? 0),
        speed: number(Math.round(tokensPerSecond.value ?? 0)),
      })}
    </p>
  );
}

/** Engine actions for an installed model: load with a chosen context size, unload, test. */
export function EngineModel({ modelId, name }: { modelId: string; name: string }) {
  const { say, number } = useWords();
  const { act, isBusy } = useEngineAction();
  const engine = useQuery(runtimesQuery).data?.find(({ runtimeId }) => runtimeId === OWN_ENGINE);
  const [context, setContext] = useState<number>();
  const [tried, setTried] = useState<Qualified>();
  const fit = useQuery(modelFitQuery(modelId)).data;
  if (engine?.state !== 'observed') return null;
  const trained = fit?.inspection.context.trainedTokens.value ?? 0;
  const isHeld = engine.models.some((model) => model.modelId === modelId && model.loaded);
  const isEngineFree = engine.runtimeState === 'unavailable' || engine.runtimeState === 'failed';
  const tryOut = () =>
    act(async () => setTried(await qualifyModel(modelId, Math.min(TRIED_TOKENS, trained || TRIED_TOKENS))));
  return (
    <div className="engine-model">
      <FitBar modelId={modelId} contextTokens={context} />
      <select
        className="chip"
        aria-label={say('engine.context.of', { name })}
        value={context ?? ''}
        onChange={({ currentTarget: { value } }) => setContext(value === '' ? undefined : Number(value))}
      >
        <option value="">{say('engine.context.most')}</option>
        {CONTEXTS.filter((tokens) => tokens <= trained).map((tokens) => (
          <option key={tokens} value={tokens}>
            {say('engine.context.tokens', { tokens: number(tokens) })}
          </option>
        ))}
      </select>
      {isHeld ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={say('engine.unload.of', { name })}
          disabled={isBusy}
          onClick={() => act(() => unloadModel(OWN_ENGINE))}
        >
          {say('engine.unload')}
        </Button>
      ) : (
        <Button
          size="compact-sm"
          aria-label={say('engine.load.of', { name })}
          disabled={isBusy || !isEngineFree}
          onClick={() => act(() => loadModel(modelId, context))}
        >
          {say('engine.load')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={say('engine.try.of', { name })}
        title={say('engine.try.why')}
        disabled={isBusy || !(isHeld || isEngineFree)}
        onClick={tryOut}
      >
        {say('engine.try')}
      </Button>
      {tried && <Speed performance={tried.performance} />}
    </div>
  );
}
