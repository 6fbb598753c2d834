import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Pencil, Play, SearchX, Square, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { ModelName } from '../../parts/model-name.tsx';
import { scheduleSummary } from '../../parts/schedule-words.ts';
import { Answer, Empty } from '../../parts/states.tsx';
import {
  type AnyAutomation,
  type Automation,
  automationsQuery,
  isCurrent,
  runAutomation,
  runsQuery,
  setCoordination,
  stopAutomation,
  toggleAutomation,
} from '../../wire/automations.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { NextList } from './next-list.tsx';
import { RunRow } from './run-row.tsx';
import { useAction, useDelete } from './use-action.ts';
import { WatchedFiles } from './watched-files.tsx';
import { Webhook } from './webhook.tsx';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="automation-fact">
      <dt className="small muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Facts({ record }: { record: Automation }) {
  const { say, number, date } = useWords();
  const count = number(record.executed);
  return (
    <dl className="automation-facts">
      <Fact name={say('automation.field.folder')}>
        <code>{record.folder}</code>
      </Fact>
      <Fact name={say('automation.field.model')}>
        <ModelName id={record.model} />
        {record.unusableModel && <ModelProblem code={record.unusableModel} />}
      </Fact>
      <Fact name={say('automation.field.level')}>{say(`level.${record.permissions}`)}</Fact>
      {record.readsEveryAddress && (
        <Fact name={say('automation.field.reach')}>{say('automation.field.reach.any')}</Fact>
      )}
      <Fact name={say('automation.field.zone')}>{record.timeZone}</Fact>
      <Fact name={say('automation.field.done')}>
        {record.repeats === null ? count : say('automation.doneOf', { count, of: number(record.repeats) })}
      </Fact>
      {record.waitsUntil && <Fact name={say('automation.field.waits')}>{date(record.waitsUntil)}</Fact>}
    </dl>
  );
}

function ModelProblem({ code }: { code: string }) {
  const { say } = useWords();
  const known = [`failure.${code}`].find(isWordKey);
  return (
    <p className="warning small" role="note">
      {say('automation.model.unusable')} {known ? say(known) : code}
    </p>
  );
}

function Acts({ record }: { record: AnyAutomation }) {
  const { say } = useWords();
  const { act, isBusy } = useAction();
  const navigate = useNavigate();
  const remove = useDelete(() => void navigate('/automations'));
  const running = isCurrent(record) && record.runningTurn;
  return (
    <div className="automation-acts">
      {isCurrent(record) &&
        (running ? (
          <Button
            leftSection={<Square size={14} aria-hidden />}
            disabled={isBusy}
            onClick={() => act(() => stopAutomation(record.id))}
          >
            {say('automation.stop')}
          </Button>
        ) : (
          <Button
            variant="filled"
            leftSection={<Play size={14} aria-hidden />}
            disabled={isBusy}
            onClick={() => act(() => runAutomation(record.id))}
          >
            {say('automation.run')}
          </Button>
        ))}
      <Button disabled={isBusy} onClick={() => act(() => toggleAutomation(record.id, !record.isOn))}>
        {say(record.isOn ? 'automation.turnOff' : 'automation.turnOn')}
      </Button>
      {isCurrent(record) && (
        <Button
          leftSection={<Pencil size={14} aria-hidden />}
          onClick={() => void navigate(`/automations/${record.id}?edit`)}
        >
          {say('automation.edit')}
        </Button>
      )}
      <Button color="danger" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => remove(record)}>
        {say('act.delete')}
      </Button>
    </div>
  );
}

function Coordination({ record }: { record: AnyAutomation }) {
  const { say } = useWords();
  const { act, isBusy } = useAction();
  return (
    <label className="automation-check">
      <input
        type="checkbox"
        checked={record.coordinates}
        disabled={isBusy}
        onChange={() => act(() => setCoordination(record.id, !record.coordinates))}
      />
      <span>
        {say('automation.field.agents')}
        <span className="small muted block">{say('automation.field.agents.why')}</span>
      </span>
    </label>
  );
}

function History({ record }: { record: AnyAutomation }) {
  const { say } = useWords();
  const query = useQuery(runsQuery(record.id));
  return (
    <section>
      <h2>{say('automation.history')}</h2>
      <Answer query={query} lines={4}>
        {(runs) =>
          runs.length === 0 ? (
            <p className="muted small">{say('automation.history.none')}</p>
          ) : (
            <ul className="automation-runs">
              {runs.map((run) => (
                <RunRow key={run.runId} automationId={record.id} run={run} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

function Shown({ record }: { record: AnyAutomation }) {
  const words = useWords();
  const { say } = words;
  return (
    <article className="automation">
      <Link to="/automations" className="text-button">
        <ArrowLeft size={14} aria-hidden />
        {say('automation.all')}
      </Link>
      <h1>{record.name}</h1>
      <p>
        {scheduleSummary(record, words)}
        {!record.isOn && <span className="muted"> · {say('automation.off')}</span>}
      </p>
      <Acts record={record} />
      {isCurrent(record) ? (
        <>
          {record.isOn && <NextList schedule={record.schedule} zone={record.timeZone} />}
          <Facts record={record} />
          <Coordination record={record} />
          <section>
            <h2>{say('automation.field.instructions')}</h2>
            <p className="automation-instructions">{record.instructions}</p>
          </section>
          <WatchedFiles id={record.id} />
          <Webhook id={record.id} />
        </>
      ) : (
        <p className="muted">{say('automation.legacy', { task: record.taskId })}</p>
      )}
      <History record={record} />
    </article>
  );
}

/** One automation: schedule, permissions, runs. */
export function AutomationView({ id }: { id: string }) {
  const { say } = useWords();
  const query = useQuery(automationsQuery);
  return (
    <Answer query={query} lines={8}>
      {(records) => {
        const record = records.find((candidate) => candidate.id === id);
        if (record) return <Shown record={record} />;
        return (
          <Empty
            icon={<SearchX size={20} aria-hidden />}
            title={say('automation.gone')}
            action={<Link to="/automations">{say('automation.all')}</Link>}
          />
        );
      }}
    </Answer>
  );
}
