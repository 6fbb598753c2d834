import '../../../styles/sandbox.css';
import { useQuery } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../../parts/box.tsx';
import { ProjectSelect } from '../../../parts/project-select.tsx';
import { sandboxWords } from '../../../parts/sandbox-words.ts';
import { Answer } from '../../../parts/states.tsx';
import { frequentQuery } from '../../../wire/folders.ts';
import { rulesQuery, type Sandbox, sandboxQuery } from '../../../wire/sandbox.ts';
import { useWords } from '../../../words/words.ts';
import { NetworkSetting } from './network-setting.tsx';
import { NetworkTools } from './network-tools.tsx';
import { Refusals } from './refusals.tsx';
import { Rules } from './rules.tsx';
import { SelfTest } from './self-test.tsx';

/** How commands are sandboxed on this computer, or what is missing. */
function State({ state }: { state: Sandbox }) {
  const { say } = useWords();
  const Icon = state.works ? ShieldCheck : ShieldAlert;
  return (
    <>
      <div className="sandbox-state">
        <Icon size={20} className={state.works ? 'success' : 'warning'} aria-hidden />
        <div>
          <p className="doctor-title">{sandboxWords(state.mechanism, say)}</p>
          <p className="muted small">{state.works ? say('sandbox.works') : state.problem}</p>
          {state.advice && <p className="small">{state.advice}</p>}
        </div>
      </div>
      {!state.hasToken && (
        <Card tone="warning" label={say('sandbox.noToken')}>
          <p className="sandbox-warning">
            <TriangleAlert size={16} className="warning" aria-hidden />
            <span>
              {say('sandbox.noToken')} {say('sandbox.noToken.action')}
            </span>
          </p>
        </Card>
      )}
    </>
  );
}

/** Folders for rules: those with rules and frequently used ones. */
function useFolders(): string[] {
  const rules = useQuery(rulesQuery);
  const frequent = useQuery(frequentQuery);
  const named = [
    ...(rules.data ?? []).flatMap(({ folder }) => folder ?? []),
    ...(frequent.data ?? []).flatMap(({ path }) => path ?? []),
  ];
  return [...new Set(named)].sort((one, other) => one.localeCompare(other));
}

/** Settings → Sandbox: its state, the user's rules, and a test. */
export function SandboxSettings() {
  const folders = useFolders();
  const [folder, setFolder] = useState<string>();
  const chosen = folders.find((one) => one === folder);
  const state = useQuery(sandboxQuery({}));
  // The folder of a project may be gone: its rules can still be removed.
  const network = useQuery(sandboxQuery({ folder: chosen }));
  return (
    <div className="form sandbox">
      <Answer query={state} lines={8}>
        {(all) => (
          <>
            <State state={all} />
            <ProjectSelect folders={folders} value={chosen} choose={setFolder} />
            <Answer query={network} lines={4}>
              {({ network }) => <NetworkSetting network={network} folder={chosen} />}
            </Answer>
            <NetworkTools folder={chosen} />
            <Rules folder={chosen} />
            <Refusals />
            <SelfTest />
          </>
        )}
      </Answer>
    </div>
  );
}
