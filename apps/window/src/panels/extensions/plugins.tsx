import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type ExtensionPlace,
  type Plugin,
  type PluginList,
  pluginsQuery,
  refreshConfigured,
  removePlugin,
  trustPlugin,
  turnPlugin,
} from '../../wire/configured-extensions.ts';
import { useWords } from '../../words/words.ts';
import { ExtensionRow } from './extension-row.tsx';
import { Section } from './section.tsx';
import { TrustFacts } from './trust-facts.tsx';
import { Warnings } from './warnings.tsx';

const PluginForm = lazyPart(async () => (await import('./plugin-form.tsx')).PluginForm);

/** Plugins of the user and of the project: added from a folder, switched, trusted and removed. */
export function Plugins({ place }: { place: ExtensionPlace }) {
  const { say } = useWords();
  const query = useQuery(pluginsQuery(place));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Answer query={query} lines={3}>
      {({ plugin, falliti, errore }) => (
        <Section
          kind="plugins"
          declared={{ rows: errore !== null && plugin.length === 0 ? null : plugin, problem: errore }}
          add={{ label: say('plugins.add'), isOpen: isAdding, toggle: () => setIsAdding(!isAdding) }}
          form={
            isAdding && (
              <Waiting fallback={null}>
                <PluginForm place={place} close={() => setIsAdding(false)} />
              </Waiting>
            )
          }
          row={(row) => <PluginRow key={`${row.ambito} ${row.id}`} place={place} row={row} />}
          more={falliti.length > 0 && <Broken broken={falliti} />}
        />
      )}
    </Answer>
  );
}

function PluginRow({ place, row }: { place: ExtensionPlace; row: Plugin }) {
  const { say } = useWords();
  const { turning, review, remove, warnings } = usePluginActions(place, row);
  return (
    <ExtensionRow
      name={row.nome}
      isOn={turning.isPending ? turning.variables : row.attivo}
      turn={(isOn) => turning.mutate(isOn)}
      scope={say(row.ambito === 'file' ? 'plugins.scope.file' : `mcp.scope.${row.ambito}`)}
      tags={
        <>
          <code className="muted small">{row.id}</code>
          <span className="tag" data-tone={row.fidato ? 'good' : 'ask'}>
            {row.fidato ? <ShieldCheck size={14} aria-hidden /> : <ShieldAlert size={14} aria-hidden />}
            {say(row.fidato ? 'extensions.trusted' : 'extensions.untrusted')}
          </span>
        </>
      }
      action={
        !row.fidato && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('extensions.trust.of', { name: row.nome })}
            onClick={review}
          >
            {say('extensions.trust.look')}
          </Button>
        )
      }
      remove={row.ambito === 'file' ? undefined : remove}
    >
      {!row.fidato && row.frase && <p className="small">{row.frase}</p>}
      {row.descrizione && <p className="muted small">{row.descrizione}</p>}
      {row.sostituito && <p className="muted small">{say('plugins.replaced')}</p>}
      <p className="muted small">
        {say('extensions.brings', { tools: row.tools.join(', ') || '–', hooks: row.hooks.join(', ') || '–' })}
      </p>
      <Warnings warnings={warnings} />
      {turning.error && <Failure error={turning.error} />}
    </ExtensionRow>
  );
}

function usePluginActions(place: ExtensionPlace, row: Plugin) {
  const { say } = useWords();
  const client = useQueryClient();
  const onSettled = () => refreshConfigured(client);
  const turning = useMutation({ mutationFn: (isOn: boolean) => turnPlugin(place, row, isOn), onSettled });
  const commands = row.comandi.map(({ origine, comando }) => ({ origin: origine, command: comando }));
  const warnings = row.avvisi.map(({ origine, avviso }) => `${origine}: ${avviso}`);
  const review = () =>
    openOverlay({
      kind: 'confirm',
      title: say('extensions.trust.plugins', { name: row.nome }),
      text: <TrustFacts request={{ kind: 'plugins', id: row.id, name: row.nome, commands, warnings }} />,
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => trustPlugin(place, row).finally(onSettled),
    });
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('plugins.remove.ask', { name: row.nome }),
      text: say('plugins.remove.why'),
      act: say('configured.remove'),
      isDangerous: true,
      run: () => removePlugin(place, row).finally(onSettled),
    });
  return { turning, review, remove, warnings };
}

function Broken({ broken }: { broken: PluginList['falliti'] }) {
  const { say } = useWords();
  return (
    <ul className="extension-list">
      {broken.map(({ id, errore }) => (
        <li key={id} className="extension-row" data-broken>
          <div className="extension-name">
            <b>{id}</b> <span className="tag danger">{say('extensions.broken')}</span>
          </div>
          <code className="small">{errore}</code>
        </li>
      ))}
    </ul>
  );
}
