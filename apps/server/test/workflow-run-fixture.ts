import { randomUUID } from 'node:crypto';
import { type Reply, type TestServer, until } from './harness.ts';
import { approve, type ProposedWorkflow, proposed, sampleDraft, type WorkflowDraft } from './workflow-fixture.ts';

export interface StartedWorkflow extends ProposedWorkflow {
  runId: string;
  /** Of this run, below the interface's address. */
  run: string;
}

/** The model's answers for steps, by text in their prompt; `hold` never ends, `fail` is a permanent refusal. */
export type Words = (text: string) => string;

/** Answers to the steps of `sampleDraft`. */
export const stepAnswer: Words = (text) => {
  if (text.includes('Read the first way')) return 'The first costs 3.';
  if (text.includes('Read the second way')) return 'The second costs 5.';
  return 'The first is better.';
};

export interface RunCalls {
  start(version: Pick<ProposedWorkflow, 'path' | 'definitionHash'>, commandId?: string): Promise<Reply>;
  command(run: string, what: string, commandId?: string): Promise<Reply>;
  /** Proposed, approved and started; its steps are answered according to `words`. */
  started(words: Words, draft?: WorkflowDraft): Promise<StartedWorkflow>;
  graphOf(run: string): Promise<any>;
  /** The overview of the run once it is in one of these states. */
  inState(run: string, ...states: string[]): Promise<any>;
  stepOf(run: string, nodeId: string): Promise<any>;
  stepIn(run: string, nodeId: string, state: string): Promise<any>;
}

export function runCalls(server: () => TestServer): RunCalls {
  const call: TestServer['call'] = (...asked) => server().call(...asked);
  const start: RunCalls['start'] = ({ path, definitionHash }, commandId = randomUUID()) =>
    call('POST', `${path}/start`, { body: { commandId, definitionHash } });
  const graphOf = async (run: string) => (await call('GET', `${run}/graph`)).data;
  const stepOf = async (run: string, nodeId: string) => (await call('GET', `${run}/nodes/${nodeId}`)).data;
  return {
    start,
    graphOf,
    stepOf,
    command: (run, what, commandId = randomUUID()) => call('POST', `${run}/${what}`, { body: { commandId } }),
    async started(words, draft = sampleDraft()) {
      const made = await proposed(server(), draft);
      await approve(server(), made);
      server().model.script(({ lastText }) => {
        const answer = words(lastText);
        if (answer === 'hold') return { fault: { kind: 'hang' } };
        if (answer === 'fail') return { fault: { kind: 'status', status: 400, message: 'No.' } };
        return { text: answer };
      });
      const { data } = await start(made);
      return { ...made, runId: data.runId, run: `/sessions/${made.sessionId}/workflows/${data.runId}` };
    },
    inState: (run, ...states) =>
      until(async () => {
        const graph = await graphOf(run);
        return states.includes(graph.status) ? graph : undefined;
      }),
    stepIn: (run, nodeId, state) =>
      until(async () => {
        const step = await stepOf(run, nodeId);
        return step.state === state ? step : undefined;
      }),
  };
}
