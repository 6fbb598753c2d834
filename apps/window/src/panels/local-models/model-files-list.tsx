import { choicesOf, type ModelChoice, manifestOf } from '@fucina/shared/model-files';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Download as DownloadIcon, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { Answer } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  downloadsQuery,
  type HubRepository,
  installedQuery,
  isUnderWay,
  modelFilesQuery,
  refreshModels,
  startDownload,
} from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';
import { SizeFit } from './size-fit.tsx';

function useStart(repository: HubRepository): (choice: ModelChoice) => void {
  const { say, bytes } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (choice) => {
    const manifest = manifestOf(repository, choice);
    openOverlay({
      kind: 'confirm',
      title: say('localModel.download.ask', { name: manifest.name }),
      text: (
        <>
          <p>{say('localModel.download.size', { size: bytes(choice.bytes), count: choice.files.length })}</p>
          <p>
            {say('localModel.download.license', {
              license: repository.license ?? say('localModel.license.unknown'),
            })}
          </p>
        </>
      ),
      act: say('localModel.download'),
      isDangerous: false,
      run: async () => {
        await startDownload(manifest);
        await refreshModels(client);
        void navigate('/local-models/downloads');
      },
    });
  };
}

/** The state of an installed or downloading file; else the download button. */
function Act({ repository, choice }: { repository: HubRepository; choice: ModelChoice }) {
  const { say } = useWords();
  const start = useStart(repository);
  const { id } = manifestOf(repository, choice);
  const isHere = useQuery(installedQuery).data?.some((model) => model.id === id && model.state === 'ready');
  const isComing = useQuery(downloadsQuery).data?.some((row) => row.id === id && isUnderWay(row));
  if (isHere) {
    return (
      <span className="model-state small" data-tone="ready">
        <Check size={14} aria-hidden />
        {say('localModel.here')}
      </span>
    );
  }
  if (isComing) return <Link to="/local-models/downloads">{say('localModel.coming')}</Link>;
  return (
    <Button
      leftSection={<DownloadIcon size={14} aria-hidden />}
      disabled={choice.isPartial}
      aria-label={say('localModel.download.of', { name: choice.name })}
      onClick={() => start(choice)}
    >
      {say('localModel.download')}
    </Button>
  );
}

function Row({ repository, choice }: { repository: HubRepository; choice: ModelChoice }) {
  const { say, bytes } = useWords();
  return (
    <li className="model-row">
      <div className="model-main">
        <span className="model-name">{choice.name}</span>
        <span className="small muted">
          {[
            choice.quantization,
            choice.files.length > 1 ? say('localModel.parts', { count: choice.files.length }) : undefined,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {choice.isPartial && <span className="small">{say('localModel.partial')}</span>}
        {choice.isSuspect && (
          <span className="model-warning small">
            <TriangleAlert size={12} aria-hidden />
            {say('localModel.suspect')}
          </span>
        )}
      </div>
      <SizeFit bytes={choice.bytes} />
      <span className="small muted tabular">{bytes(choice.bytes)}</span>
      <Act repository={repository} choice={choice} />
    </li>
  );
}

/** The downloadable files of a repository, smallest first. */
export function ModelFiles({ repository }: { repository: HubRepository }) {
  const { say } = useWords();
  const query = useQuery(modelFilesQuery(repository.repo, repository.revision));
  const choices = useMemo(() => choicesOf(query.data ?? []), [query.data]);
  return (
    <Answer query={query} lines={4}>
      {() =>
        choices.length === 0 ? (
          <p className="small muted">{say('localModel.files.none')}</p>
        ) : (
          <ul className="model-rows">
            {choices.map((choice) => (
              <Row key={choice.name} repository={repository} choice={choice} />
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
