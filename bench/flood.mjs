// A command that prints as fast as it can.
import { follow, peakMiB, round, startBench } from './lib.mjs';

const MIB = 300;

export async function run() {
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
