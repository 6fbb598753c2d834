import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { Problem, Proposal } from '../../wire/workflows.ts';
import { isWordKey, useWords } from '../../words/words.ts';

/** What the steps may access, as sentences. */
export function PermissionSummary({ proposal: { policy, counts } }: { proposal: Proposal }) {
  const { say } = useWords();
  const { capabilityCeiling, externalTools, providerFallback, graphMutation } = policy;
  const capability = `workflow.capability.${capabilityCeiling}`;
  const writers = counts.writers ?? 0;
  return (
    <section className="workflow-part" aria-label={say('workflow.may')}>
      <h3>{say('workflow.may')}</h3>
      <ul className="workflow-sentences">
        <li>
          {writers === 0
            ? say('workflow.may.read')
            : say('workflow.may.write', {
                count: writers,
                capability: isWordKey(capability) ? say(capability) : capabilityCeiling,
              })}
        </li>
        <li>
          {externalTools.mode === 'deny'
            ? say('workflow.may.tools.deny')
            : say('workflow.may.tools.allowlist', { names: externalTools.ids.join(', ') })}
        </li>
        <li>
          {providerFallback.mode === 'forbidden'
            ? say('workflow.may.fallback.forbidden')
            : say('workflow.may.fallback.allowlist', { names: providerFallback.providers.join(', ') })}
        </li>
        <li>
          {graphMutation.mode === 'forbidden'
            ? say('workflow.may.graph.forbidden')
            : say('workflow.may.graph.other', { count: graphMutation.maxAddedNodes })}
        </li>
        <li>{say('workflow.may.apply')}</li>
      </ul>
    </section>
  );
}

const ESTIMATES = [
  'steps',
  'longestPath',
  'widestLevel',
  'modelRequests',
  'promptTokensFloor',
  'completionTokensFloor',
] as const;

/** Its size, and its minimum usage. */
export function Estimates({ proposal, model }: { proposal: Proposal; model: string | undefined }) {
  const { say, number, short } = useWords();
  const { estimates } = proposal.preflight;
  return (
    <section className="workflow-part" aria-label={say('workflow.estimate')}>
      <h3>{say('workflow.estimate')}</h3>
      <dl className="workflow-facts">
        {ESTIMATES.flatMap((key) => {
          const amount = estimates[key];
          if (amount === undefined || amount === null) return [];
          return (
            <div key={key}>
              <dt className="muted">{say(`workflow.estimate.${key}`)}</dt>
              <dd className="tabular">{amount >= 100_000 ? short(amount) : number(amount)}</dd>
            </div>
          );
        })}
        {model !== undefined && (
          <div>
            <dt className="muted">{say('workflow.estimate.model')}</dt>
            <dd>{model}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

interface Grouped {
  code: string;
  message: string;
  subjects: string[];
}

/** Problems grouped by kind. */
function grouped(problems: readonly Problem[]): Grouped[] {
  const groups = new Map<string, Grouped>();
  for (const { code, message, subjects } of problems) {
    const group = groups.get(code) ?? { code, message, subjects: [] };
    group.subjects.push(...subjects);
    groups.set(code, group);
  }
  return [...groups.values()];
}

/** Translated if known: a newer server may report other problems. */
function ProblemLine({ code, message, subjects }: Grouped) {
  const { say } = useWords();
  const key = `workflow.problem.${code}`;
  const names = subjects.join(', ');
  if (isWordKey(key)) return <li>{say(key, { names })}</li>;
  return (
    <li>
      {message} {names !== '' && <span className="muted small">{names}</span>}
    </li>
  );
}

interface ListProps {
  title: string;
  tone: 'danger' | 'warning';
  problems: readonly Problem[];
  total: number;
}

function List({ title, tone, problems, total }: ListProps) {
  const { say } = useWords();
  const Icon = tone === 'danger' ? CircleAlert : TriangleAlert;
  return (
    <section className="workflow-remarks" data-tone={tone} aria-label={title}>
      <h3>
        <Icon size={14} aria-hidden /> {title}
      </h3>
      <ul>
        {grouped(problems).map((group) => (
          <ProblemLine key={group.code} {...group} />
        ))}
        {total > problems.length && (
          <li className="muted">{say('workflow.remarks.more', { count: total - problems.length })}</li>
        )}
      </ul>
    </section>
  );
}

/** Errors of a plan, and warnings before approval. */
export function PreflightProblems({ preflight }: { preflight: Proposal['preflight'] }) {
  const { say } = useWords();
  const { errors, errorCount, warnings, warningCount } = preflight;
  return (
    <>
      {errorCount > 0 && <List title={say('workflow.errors')} tone="danger" problems={errors} total={errorCount} />}
      {warningCount > 0 && (
        <List title={say('workflow.remarks')} tone="warning" problems={warnings} total={warningCount} />
      )}
    </>
  );
}
