import type { Services } from '@fucina/host';
import { cleanText } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime } from '../../local-time.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, shortId, show } from './listing.ts';

type RunItem = ReturnType<Services['workflows']['views']['runs']>['items'][number];

const MAX_RUNS = 100;
const idOf = ({ runId }: RunItem): string => runId;

/** Of every conversation, newest first. */
export async function listRuns(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, async ({ services }) => runsOf(services).map(({ run }) => run));
  const cells = (run: RunItem) => [
    { text: shortId(run.runId), paint: style.accent },
    { text: localTime(run.createdAt), paint: style.muted },
    { text: say(`run.${run.status}`) },
    { text: `${run.steps.terminal}/${run.steps.total}` },
    { text: oneLine(run.title), paint: style.bold },
  ];
  show({ name: 'runs', rows, empty: say('runs.none'), cells }, flags, terminal);
  return EXIT.done;
}

export async function showRun(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { out, say, style } = terminal;
  const { run, plan } = await withHost(terminal.io, flags, async ({ services }) => {
    const runs = runsOf(services);
    const found = findById(runs, id, ({ run: { runId } }) => runId);
    const { workflowId, version } = found.run;
    return { run: found.run, plan: services.workflows.proposals.view({ workflowId, version }) };
  });
  if (flags.json)
    out(JSON.stringify({ ...run, objective: plan.objective, phases: plan.phases, budgets: plan.budgets }));
  else {
    out(style.bold(oneLine(run.title)));
    out(style.muted([say(`run.${run.status}`), run.model, localTime(run.startedAt)].filter(Boolean).join(' · ')));
    out(`\n${cleanText(plan.objective)}\n`);
    const cells = ({ label, total }: (typeof plan.phases)[number]) => [
      { text: oneLine(label), paint: style.bold },
      { text: String(total) },
    ];
    show({ name: 'phases', rows: plan.phases, empty: '', cells }, flags, terminal);
  }
  return EXIT.done;
}

function runsOf({ workflows }: Services): { sessionId: string; run: RunItem }[] {
  const found = workflows.proposals
    .proposers()
    .flatMap((sessionId) =>
      workflows.views
        .runs(sessionId, { page: { offset: 0, limit: MAX_RUNS } })
        .items.map((run) => ({ sessionId, run })),
    );
  return found.sort((a, b) => b.run.createdAt - a.run.createdAt || idOf(a.run).localeCompare(idOf(b.run)));
}
