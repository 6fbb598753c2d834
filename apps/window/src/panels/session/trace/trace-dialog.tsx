import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../../../styles/overlays.css';
import '../../../styles/trace.css';
import { Modal } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartGantt } from 'lucide-react';
import { useState } from 'react';
import { Answer, Empty } from '../../../parts/states.tsx';
import { useElapsed } from '../../../parts/use-elapsed.ts';
import { useFocusRestore } from '../../../shell/focus-restore.ts';
import { api } from '../../../wire/client.ts';
import type { TurnTrace } from '../../../wire/records.ts';
import { useWords } from '../../../words/words.ts';
import { StepDetails } from './step-details.tsx';
import { sumsOf, totalOf } from './trace-scale.ts';
import { TraceTable } from './trace-table.tsx';

const LIVE_MS = 1_000;

/** Of a turn, or of the latest one; read again every second while it runs. */
function useTrace(sessionId: string, reference: string | undefined) {
  return useQuery({
    queryKey: ['turnTrace', sessionId, reference ?? ''],
    queryFn: async ({ signal }) => {
      const query = { reference };
      return (await api.get('/ext/sessions/{sessionId}/trace', { path: { sessionId }, query, signal })).track;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.durationMs === null ? LIVE_MS : false),
  });
}

function Sums({ trace, total }: { trace: TurnTrace; total: number }) {
  const { say, duration } = useWords();
  const sums = sumsOf(trace, total);
  return (
    <ul className="trace-sums tabular small" aria-label={say('trace.sums')}>
      <li>
        {say('trace.total')} <strong>{duration(total)}</strong>
      </li>
      {(['model', 'tools', 'user'] as const).map((kind) => (
        <li key={kind}>
          <span className="trace-key" data-kind={kind} aria-hidden />
          {say(`trace.sum.${kind}`)} <strong>{duration(sums[kind])}</strong>
        </li>
      ))}
    </ul>
  );
}

function Waterfall({ trace }: { trace: TurnTrace }) {
  const { say } = useWords();
  const isRunning = trace.durationMs === null;
  const elapsed = useElapsed(Date.parse(trace.startedAt), isRunning) ?? 0;
  const [chosen, setChosen] = useState(0);
  const total = totalOf(trace, elapsed);
  const step = trace.steps[chosen];
  if (!step) {
    return (
      <Empty icon={<ChartGantt size={20} aria-hidden />} title={say('trace.none')}>
        <p>{say('trace.none.why')}</p>
      </Empty>
    );
  }
  return (
    <>
      <Sums trace={trace} total={total} />
      <TraceTable trace={trace} total={total} chosen={chosen} choose={setChosen} />
      {trace.more > 0 && <p className="muted small">{say('trace.more', { count: trace.more })}</p>}
      <StepDetails step={step} total={total} />
    </>
  );
}

/** What a turn spent its time on, as a waterfall. */
export function TraceDialog(props: { sessionId: string; reference?: string | undefined; close: () => void }) {
  const { say } = useWords();
  useFocusRestore();
  const query = useTrace(props.sessionId, props.reference);
  return (
    <Modal
      opened
      size="xl"
      onClose={props.close}
      title={say('trace.title')}
      closeButtonProps={{ 'aria-label': say('act.close') }}
      className="trace-dialog"
    >
      <Answer query={query} lines={6}>
        {(trace) => <Waterfall trace={trace} />}
      </Answer>
    </Modal>
  );
}
