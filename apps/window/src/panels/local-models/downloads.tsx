import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download as DownloadIcon, Pause, Play, X } from 'lucide-react';
import { Link } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type Download,
  downloadsQuery,
  installedQuery,
  refreshModels,
  steerDownload,
} from '../../wire/local-models.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { Progress } from './progress.tsx';
import { useAction } from './use-action.ts';

function Acts({ row, name }: { row: Download; name: string }) {
  const { say } = useWords();
  const { act, isBusy } = useAction();
  const client = useQueryClient();
  const { state, id } = row;
  const steer = (what: 'pause' | 'resume') => () => act(() => steerDownload(id, what));
  const cancel = () =>
    openOverlay({
      kind: 'confirm',
      title: say('localModel.cancel.ask', { name }),
      text: say('localModel.cancel.why'),
      act: say('localModel.cancel'),
      isDangerous: true,
      run: async () => {
        await steerDownload(id, 'cancel');
        await refreshModels(client);
      },
    });
  if (state === 'ready' || state === 'cancelled') return null;
  return (
    <div className="model-acts">
      {(state === 'queued' || state === 'running') && (
        <Button leftSection={<Pause size={14} aria-hidden />} disabled={isBusy} onClick={steer('pause')}>
          {say('localModel.pause')}
        </Button>
      )}
      {(state === 'paused' || state === 'failed') && (
        <Button leftSection={<Play size={14} aria-hidden />} disabled={isBusy} onClick={steer('resume')}>
          {say('localModel.resume')}
        </Button>
      )}
      <Button leftSection={<X size={14} aria-hidden />} disabled={isBusy} onClick={cancel}>
        {say('localModel.cancel')}
      </Button>
    </div>
  );
}

/** The reason of its state, if the state does not say it. */
function Reason({ row }: { row: Download }) {
  const { say } = useWords();
  if (row.state !== 'failed' && row.reason !== 'RECOVERED_AFTER_RESTART') return null;
  const key = `localModel.reason.${row.reason ?? ''}`;
  return (
    <p className="small" role={row.state === 'failed' ? 'alert' : undefined}>
      {say(isWordKey(key) ? key : 'localModel.reason.HUB_DOWNLOAD_FAILED')}
    </p>
  );
}

function Row({ row, name }: { row: Download; name: string }) {
  const { say, bytes } = useWords();
  const amount = say('localModel.amount', { done: bytes(row.bytes), of: bytes(row.totalBytes) });
  return (
    <li className="model-row model-download">
      <div className="model-main">
        <span className="model-name">{name}</span>
        <span className="model-state small" data-tone={row.state}>
          {say(`localModel.state.${row.state}`)}
        </span>
        <Reason row={row} />
      </div>
      {row.state === 'ready' && <span className="small muted tabular">{bytes(row.totalBytes)}</span>}
      {row.state !== 'ready' && row.state !== 'cancelled' && (
        <Progress label={name} percent={row.progress} text={amount} />
      )}
      <Acts row={row} name={name} />
    </li>
  );
}

/** Current and past downloads from the hub. */
export function Downloads() {
  const { say } = useWords();
  const query = useQuery(downloadsQuery);
  const names = new Map(useQuery(installedQuery).data?.map(({ id, name }) => [id, name ?? id]));
  return (
    <section className="model-part" aria-label={say('localModel.downloads')}>
      <Answer query={query} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon={<DownloadIcon size={20} aria-hidden />}
              title={say('localModel.downloads.none')}
              action={<Link to="/local-models/hub">{say('localModel.search')}</Link>}
            >
              {say('localModel.downloads.none.why')}
            </Empty>
          ) : (
            <ul className="model-rows">
              {rows.toReversed().map((row) => (
                <Row key={row.id} row={row} name={names.get(row.id) ?? row.id} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
