import { SCENARIOS, type Scenario, scriptOf, traceCollector } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { start } from './binary.ts';
import { testComputer } from './harness.ts';

const TRACE = 'a'.repeat(32);
const PARENT = 'b'.repeat(16);

describe('a one-shot run with a collector of traces', () => {
  test('sends its spans before it exits, inside the trace it was started in', async () => {
    await using collector = await traceCollector();
    await using computer = await testComputer(scriptOf(SCENARIOS['tool-turn'] as Scenario));
    await using running = start(['-p', 'go', '--model', 'ollama:tiny'], {
      env: {
        ...computer.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        TRACEPARENT: `00-${TRACE}-${PARENT}-01`,
      },
      cwd: computer.project.path,
    });
    expect((await running.ended).code).toBe(0);
    expect(running.seen.stdout).toBe('Done.\n');
    const turn = collector.spans.find(({ name }) => name === 'invoke_agent Fucina');
    expect(turn).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, resource: { 'service.name': 'fucina' } });
    const inside = collector.spans.filter(({ parentSpanId }) => parentSpanId === turn?.spanId);
    expect(inside.map(({ name }) => name)).toEqual(['chat tiny', 'execute_tool shell', 'chat tiny']);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  });

  test('starts a trace of its own without a valid parent', async () => {
    await using collector = await traceCollector();
    await using computer = await testComputer(() => ({ text: 'ok' }));
    await using running = start(['-p', 'go', '--model', 'ollama:tiny'], {
      env: { ...computer.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACEPARENT: 'nonsense' },
      cwd: computer.project.path,
    });
    expect((await running.ended).code).toBe(0);
    expect(collector.spans.find(({ name }) => name === 'invoke_agent Fucina')?.parentSpanId).toBeUndefined();
  });

  test('prints and exits as ever while the collector is away', async () => {
    const gone = await traceCollector();
    await gone[Symbol.asyncDispose]();
    await using computer = await testComputer(() => ({ text: 'ok' }));
    await using running = start(['-p', 'go', '--model', 'ollama:tiny'], {
      env: { ...computer.env, OTEL_EXPORTER_OTLP_ENDPOINT: gone.url },
      cwd: computer.project.path,
    });
    await running.wrote('stdout', 'ok\n');
    const answeredAt = performance.now();
    const { code } = await running.ended;
    expect({ code, stdout: running.seen.stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(running.seen.stderr).not.toContain('tracing');
    expect(performance.now() - answeredAt).toBeLessThan(8_000);
  });
});
