// A long day: sessions begun, run and deleted one after the other, with commands in the sandbox, questions and agents' agents.
import { readdirSync } from 'node:fs';
import { call, follow, pssMiB, round, startBench } from './lib.mjs';

const ROUNDS = 300;
/** What is loaded at first use is loaded. */
const WARM = 30;
const KINDS = [
  { consegna: 'say hello' },
  { consegna: 'run a command' },
  { consegna: 'run a command', permessi: 'On request' },
  { consegna: 'give it away' },
];

const rules = [
  { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
  { when: { includes: 'command' }, reply: calling('shell', { comando: 'echo bench && ls' }) },
  { when: { includes: 'away' }, reply: calling('delega_sottotask', { task: 'run a command' }) },
  { reply: { text: 'Hello.' } },
];

function calling(name, args) {
  return { toolCalls: [{ name, arguments: args }] };
}

export async function run() {
  const bench = await startBench({ rules });
  try {
    await rounds(bench, WARM);
    const before = stateOf(bench);
    await rounds(bench, ROUNDS);
    const after = stateOf(bench);
    const method = `${ROUNDS * KINDS.length} sessions after ${WARM * KINDS.length}: words, a command in the sandbox, one that asks, an agent's agent; each read, then deleted`;
    return [
      {
        figure: 'memory grown by a long day, MiB (PSS)',
        value: round(after.memory - before.memory),
        bar: '≤ 64',
        method: `${method}; from ${round(before.memory, 0)}`,
      },
      { figure: 'open files grown by it', value: after.files - before.files, bar: '≤ 16', method: 'the same run' },
    ];
  } finally {
    await bench.close();
  }
}

function stateOf({ pid }) {
  return { memory: pssMiB(pid), files: readdirSync(`/proc/${pid}/fd`).length };
}

async function rounds(bench, count) {
  for (let index = 0; index < count; index += 1) for (const kind of KINDS) await session(bench, kind);
}

/** Begun, followed to its end, its questions answered with yes, and deleted. */
async function session({ api, port, project }, kind) {
  const { sessionId } = await api('POST', '/sessions/custom', {
    cartellaLibera: project,
    modello: 'ollama:bench',
    ...kind,
  });
  await follow(port, sessionId, (data) => {
    const event = JSON.parse(data);
    if (event.type === 'ApprovalRequested') {
      const body = { requestId: event.requestId, approvato: true };
      void call(port, 'POST', `/sessions/${sessionId}/approve`, body);
    }
    return event.type === 'RunFinished' || event.type === 'RunError';
  });
  while (!(await api('GET', '/sessions')).items[0].conclusa) await new Promise((done) => setImmediate(done));
  await api('POST', `/sessions/${sessionId}/delete`);
}
