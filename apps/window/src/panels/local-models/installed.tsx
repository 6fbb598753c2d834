import { useQuery } from '@tanstack/react-query';
import { Box, Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Menu } from '../../parts/menu.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { type InstalledModel, installedQuery, pathOfModel, renameModel } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';
import { EngineCard } from './engine-card.tsx';
import { EngineModel } from './engine-model.tsx';
import { ImportModel } from './import-model.tsx';
import { useAction, useDelete } from './use-action.ts';

const LONGEST_NAME = 160;
/** For a file without a stated license. */
const UNKNOWN = 'unknown';

function State({ model }: { model: InstalledModel }) {
  const { say } = useWords();
  if (model.state === 'ready') return null;
  return (
    <Link className="model-state small" data-tone={model.state} to="/local-models/downloads">
      {say(`localModel.state.${model.state}`)}
    </Link>
  );
}

function Row({ model }: { model: InstalledModel }) {
  const { say, bytes, date } = useWords();
  const { act } = useAction();
  const remove = useDelete();
  const [isRenaming, setIsRenaming] = useState(false);
  const name = model.name ?? model.id;
  const rename = (chosen: string | undefined) => {
    setIsRenaming(false);
    if (chosen !== undefined) act(() => renameModel(model.id, chosen));
  };
  const isOwn = model.repo === 'local-upload';
  return (
    <li className="model-row">
      <div className="model-main">
        {isRenaming ? (
          <NameInput name={name} label={say('localModel.rename')} longest={LONGEST_NAME} done={rename} />
        ) : (
          <span className="model-name">{name}</span>
        )}
        <span className="small muted">
          {isOwn ? say('localModel.ownFile') : <Link to={`/local-models/hub/${model.repo}`}>{model.repo}</Link>}
          {model.license !== UNKNOWN && ` · ${model.license}`} · {date(model.updatedAt)}
        </span>
      </div>
      <State model={model} />
      <span className="small muted tabular">{bytes(model.bytes)}</span>
      <Menu
        className="model-menu"
        label={say('localModel.acts', { name })}
        entries={[
          {
            id: 'rename',
            icon: <Pencil size={14} aria-hidden />,
            name: say('localModel.rename'),
            act: () => setIsRenaming(true),
          },
          {
            id: 'path',
            icon: <Copy size={14} aria-hidden />,
            name: say('localModel.copyPath'),
            act: () => act(async () => navigator.clipboard.writeText(await pathOfModel(model.id))),
          },
          {
            id: 'delete',
            icon: <Trash2 size={14} aria-hidden />,
            name: say('act.delete'),
            isDangerous: true,
            act: () => remove(model),
          },
        ]}
      />
      {model.state === 'ready' && <EngineModel modelId={model.id} name={name} />}
    </li>
  );
}

/** The models on this computer. */
export function Installed() {
  const { say } = useWords();
  const query = useQuery(installedQuery);
  return (
    <section className="model-part" aria-label={say('localModel.installed')}>
      <EngineCard />
      <div className="model-bar">
        <ImportModel />
      </div>
      <Answer query={query} lines={4}>
        {(models) =>
          models.length === 0 ? (
            <Empty
              icon={<Box size={20} aria-hidden />}
              title={say('localModel.none')}
              action={<Link to="/local-models/hub">{say('localModel.search')}</Link>}
            >
              {say('localModel.none.why')}
            </Empty>
          ) : (
            <ul className="model-rows">
              {models.map((model) => (
                <Row key={model.id} model={model} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
