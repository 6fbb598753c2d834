import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, CircleSlash, RotateCw, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Code } from '../../parts/code.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import type { DoctorDetail, DoctorReport, DoctorState } from '../../wire/records.ts';
import { doctorQuery } from '../../wire/setup.ts';
import { useWords } from '../../words/words.ts';

const WORST_FIRST: readonly DoctorState[] = ['error', 'warning', 'not-available', 'ok'];
const SIGNS = {
  ok: { icon: Check, tone: 'success' },
  warning: { icon: TriangleAlert, tone: 'warning' },
  error: { icon: CircleAlert, tone: 'danger' },
  'not-available': { icon: CircleSlash, tone: 'muted' },
} as const;

function Rows({ report }: { report: DoctorReport }) {
  const { say } = useWords();
  const rows = [...report.entries].sort(
    (one, other) => WORST_FIRST.indexOf(one.state) - WORST_FIRST.indexOf(other.state),
  );
  return (
    <ul className="doctor-rows">
      {rows.map((row) => {
        const { icon: Icon, tone } = SIGNS[row.state];
        return (
          <li key={row.id} className="doctor-row">
            <Icon size={16} className={tone} aria-label={say(`doctor.row.${row.state}`)} />
            <div>
              <p className="doctor-title">{row.title}</p>
              <p className="muted">{row.detail}</p>
              {row.action && <p>{row.action}</p>}
            </div>
            <span className="small muted">{say(`doctor.row.${row.state}`)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Detail({ detail }: { detail: DoctorDetail }) {
  const { say, date } = useWords();
  return (
    <div className="card">
      <p>{detail.message}</p>
      <dl className="facts doctor-facts">
        <div className="fact">
          <dt>{say('doctor.code')}</dt>
          <dd>{detail.code}</dd>
        </div>
        <div className="fact">
          <dt>{say('doctor.operation')}</dt>
          <dd>{detail.operation}</dd>
        </div>
        <div className="fact">
          <dt>{say('doctor.when')}</dt>
          <dd>{date(detail.at)}</dd>
        </div>
      </dl>
      <Code code={[detail.detail, detail.cause].filter(Boolean).join('\n\n')} />
    </div>
  );
}

function Lookup() {
  const { say } = useWords();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('reference') ?? '';
  const [reference, setReference] = useState(asked);
  const find = useQuery({
    queryKey: ['doctor', asked],
    queryFn: ({ signal }) => api.get('/doctor/{reference}', { path: { reference: asked }, signal }),
    enabled: asked !== '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reference.trim()) setSearch({ reference: reference.trim() });
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="field-label" htmlFor="doctor-reference">
        {say('doctor.reference')}
      </label>
      <div className="inline-form">
        <input
          id="doctor-reference"
          className="input code-input"
          placeholder={say('doctor.reference.placeholder')}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <Button type="submit" loading={find.isFetching} disabled={!reference.trim()}>
          {say('doctor.reference.find')}
        </Button>
      </div>
      {find.error && <Failure error={find.error} />}
      {find.data && <Detail detail={find.data} />}
    </form>
  );
}

/** The server's health report, worst first. */
export function Doctor() {
  const { say, date } = useWords();
  const query = useQuery(doctorQuery);
  return (
    <div className="form">
      <Answer query={query} lines={8}>
        {(report) => (
          <>
            <header className="doctor-head">
              <div>
                <h2>{say(`doctor.${report.state}`)}</h2>
                <p className="muted small">{say('doctor.at', { when: date(report.generatedAt) })}</p>
              </div>
              <Button
                leftSection={<RotateCw size={14} aria-hidden />}
                loading={query.isFetching}
                onClick={() => void query.refetch()}
              >
                {say('doctor.refresh')}
              </Button>
            </header>
            <Rows report={report} />
          </>
        )}
      </Answer>
      <Lookup />
    </div>
  );
}
