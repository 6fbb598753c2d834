// A command that prints as fast as it can, and a model that does.
import { follow, peakMiB, round, startBench } from './lib.mjs';

const MIB = 300;
const ANSWER_MIB = 50;

export async function run() {
  return [...(await printing()), ...(await reasoning())];
}

async function reasoning() {
  const delta = 'x'.repeat(1024);
  const bench = await startBench({
    rules: [{ reply: { reasoning: { count: ANSWER_MIB * 1024, delta }, text: ['Done.'] } }],
  });
  try {
    await bench.api('GET', '/tools');
    const before = peakMiB(bench.pid);
    const id = await bench.start();
    await follow(bench.port, id, (data) => data.startsWith('{"type":"Run') && !data.startsWith('{"type":"RunStarted'));
    return [
      {
        figure: `memory grown by an answer with ${ANSWER_MIB} MiB of reasoning, MiB`,
        value: round(peakMiB(bench.pid) - before),
        bar: '≤ 64',
        method: 'peak resident, less the peak before; cut at 8 MiB',
      },
    ];
  } finally {
    await bench.close();
  }
}

async function printing() {
  const comando = `head -c ${MIB * 1024 * 1024} /dev/zero | tr '\\0' 'x'`;
  const bench = await startBench({
    rules: [
      { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
      { reply: { toolCalls: [{ name: 'shell', arguments: { comando } }] } },
    ],
  });
  try {
    await bench.api('GET', '/tools');
    const before = peakMiB(bench.pid);
    const id = await bench.start();
    await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
    return [
      {
        figure: `memory grown while a command prints ${MIB} MiB, MiB`,
        value: round(peakMiB(bench.pid) - before),
        bar: '≤ 64',
        method: 'peak resident, less the peak before',
      },
    ];
  } finally {
    await bench.close();
  }
}
