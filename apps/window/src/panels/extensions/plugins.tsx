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
      {({ plugins, failed, error }) => (
        <Section
          kind="plugins"
          declared={{ rows: error !== null && plugins.length === 0 ? null : plugins, problem: error }}
          add={{ label: say('plugins.add'), isOpen: isAdding, toggle: () => setIsAdding(!isAdding) }}
          form={
            isAdding && (
              <Waiting fallback={null}>
                <PluginForm place={place} close={() => setIsAdding(false)} />
              </Waiting>
            )
          }
          row={(row) => <PluginRow key={`${row.scope} ${row.id}`} place={place} row={row} />}
          more={failed.length > 0 && <Broken broken={failed} />}
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
      name={row.name}
      isOn={turning.isPending ? turning.variables : row.isOn}
      turn={(isOn) => turning.mutate(isOn)}
      scope={say(row.scope === 'file' ? 'plugins.scope.file' : `mcp.scope.${row.scope}`)}
      tags={
        <>
          <code className="muted small">{row.id}</code>
          <span className="tag" data-tone={row.isTrusted ? 'good' : 'ask'}>
            {row.isTrusted ? <ShieldCheck size={14} aria-hidden /> : <ShieldAlert size={14} aria-hidden />}
            {say(row.isTrusted ? 'extensions.trusted' : 'extensions.untrusted')}
          </span>
        </>
      }
      action={
        !row.isTrusted && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('extensions.trust.of', { name: row.name })}
            onClick={review}
          >
            {say('extensions.trust.look')}
          </Button>
        )
      }
      remove={row.scope === 'file' ? undefined : remove}
    >
      {!row.isTrusted && row.sentence && <p className="small">{row.sentence}</p>}
      {row.description && <p className="muted small">{row.description}</p>}
      {row.isReplaced && <p className="muted small">{say('plugins.replaced')}</p>}
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
  const commands = row.commands.map(({ origin, command }) => ({ origin: origin, command: command }));
  const warnings = row.warnings.map(({ origin, warning }) => `${origin}: ${warning}`);
  const review = () =>
    openOverlay({
      kind: 'confirm',
      title: say('extensions.trust.plugins', { name: row.name }),
      text: <TrustFacts request={{ kind: 'plugins', id: row.id, name: row.name, commands, warnings }} />,
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => trustPlugin(place, row).finally(onSettled),
    });
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('plugins.remove.ask', { name: row.name }),
      text: say('plugins.remove.why'),
      act: say('configured.remove'),
      isDangerous: true,
      run: () => removePlugin(place, row).finally(onSettled),
    });
  return { turning, review, remove, warnings };
}

function Broken({ broken }: { broken: PluginList['failed'] }) {
  const { say } = useWords();
  return (
    <ul className="extension-list">
      {broken.map(({ id, error }) => (
        <li key={id} className="extension-row" data-broken>
          <div className="extension-name">
            <b>{id}</b> <span className="tag danger">{say('extensions.broken')}</span>
          </div>
          <code className="small">{error}</code>
        </li>
      ))}
    </ul>
  );
}
