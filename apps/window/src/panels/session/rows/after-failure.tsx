import type { EndItem } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { Failure } from '../../../parts/states.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { providerOfId, settingsOfProvider } from '../../../wire/model-id.ts';
import { sessionsQuery, useResume, useSettings } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';

/** Failure classes that can be fixed in the provider's form: another key, another address. */
const FIXED_IN_PROVIDER = new Set([
  'not-configured',
  'overloaded',
  'credential',
  'credit',
  'request-refused',
  'network',
  'provider-timeout',
]);

/** Actions after a provider failure: its form, and another model. */
function FixFailure({ item }: { item: EndItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const settings = useSettings(sessionId);
  const model = useQuery(sessionsQuery).data?.find((row) => row.sessionId === sessionId)?.model;
  if (item.failureClass === undefined || !model) return null;
  return (
    <>
      {FIXED_IN_PROVIDER.has(item.failureClass) && (
        <Button component={Link} to={settingsOfProvider(providerOfId(model))}>
          {say('failure.action')}
        </Button>
      )}
      <Button
        onClick={() => openOverlay({ kind: 'model', value: model, choose: (model) => settings.mutate({ model }) })}
      >
        {say('failure.model')}
      </Button>
      {settings.error && <Failure error={settings.error} />}
    </>
  );
}

/** Actions after a failure: retry, and fix the provider. */
export function AfterFailure({ item }: { item: EndItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const again = useResume(sessionId);
  const { request } = item;
  return (
    <div className="turn-acts">
      {request && (
        <Button
          leftSection={<RotateCw size={14} aria-hidden />}
          loading={again.isPending}
          onClick={() => again.mutate({ message: request })}
        >
          {say('act.retry')}
        </Button>
      )}
      <FixFailure item={item} />
      {again.error && <Failure error={again.error} />}
    </div>
  );
}
