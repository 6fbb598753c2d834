import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { Phase, StepRow } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { StepMark, toneOf } from './marks.tsx';

export type StepNode = Node<{ row: StepRow; isChosen: boolean; choose: (nodeId: string) => void }, 'step'>;
export type PhaseNode = Node<
  { phase: Phase; name: string; isOpen: boolean; toggle: (phaseId: string) => void },
  'phase'
>;

/** Connection points of edges; not interactive. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

function Step({ data: { row, isChosen, choose } }: NodeProps<StepNode>) {
  return (
    <>
      <button
        type="button"
        className="workflow-node nopan"
        data-tone={toneOf(row.state)}
        aria-current={isChosen || undefined}
        onClick={() => choose(row.nodeId)}
      >
        <span className="workflow-node-name">{row.label}</span>
        <StepMark state={row.state} />
      </button>
      <Ends />
    </>
  );
}

function PhaseBox({ data: { phase, name, isOpen, toggle } }: NodeProps<PhaseNode>) {
  const { say, number } = useWords();
  const { progress, terminated, total, attention, phaseId } = phase;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="workflow-node-phase" data-open={isOpen || undefined} data-attention={attention > 0 || undefined}>
      <button
        type="button"
        className="nopan"
        aria-expanded={isOpen}
        aria-label={say(isOpen ? 'workflow.graph.foldOne' : 'workflow.graph.open', { name })}
        onClick={() => toggle(phaseId)}
      >
        <Icon size={14} aria-hidden />
        <span className="workflow-node-name">{name}</span>
      </button>
      <span className="small muted tabular">
        {progress === null
          ? say('workflows.steps', { count: total })
          : say('workflow.phase.progress', { done: number(terminated), total: number(total) })}
      </span>
      {attention > 0 && !isOpen && (
        <span className="small warning">{say('workflow.phase.attention', { count: attention })}</span>
      )}
      <Ends />
    </div>
  );
}

export const NODE_TYPES = { step: Step, phase: PhaseBox };
