import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createLog } from './log.ts';
import { Secret } from './secret.ts';
import { fakeAmbient } from './testing.ts';

function logger(level: 'debug' | 'warn' = 'debug') {
  const lines: string[] = [];
  return { lines, log: createLog({ level, now: () => 0, write: (line) => void lines.push(line) }) };
}

describe('the log', () => {
  test('writes one JSON line per entry from its level up', () => {
    const { lines, log } = logger('warn');
    log.info('quiet');
    log.warn('store.slow', { ms: 12n, error: new Error('why') });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      event: 'store.slow',
      ms: '12',
      error: { message: 'why' },
    });
  });

  test('masks registered values, plain, quoted, percent-encoded and in base64', () => {
    const { lines, log } = logger();
    const secret = 'sk-"quoted"/and+odd=12345';
    log.redact(secret);
    log.info('leak', {
      plain: secret,
      url: encodeURIComponent(secret),
      b64: Buffer.from(secret).toString('base64'),
      in: `x${secret}y`,
    });
    const text = lines.join('');
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ]) {
      expect(text).not.toContain(form);
    }
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('truncates a long line', () => {
    const { lines, log } = logger();
    log.info('long', { text: 'x'.repeat(100_000) });
    expect((lines[0] ?? '').length).toBeLessThan(17_000);
  });
});

describe('a secret', () => {
  test('prints as a mask and reveals its value only on request', () => {
    const secret = new Secret('hunter2-hunter2');
    expect(
      [String(secret), JSON.stringify({ secret }), inspect({ secret }), secret.toString()].join(' '),
    ).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });
});

describe('the fake ambient', () => {
  test('fires timers in order when the time is advanced', async () => {
    const ambient = fakeAmbient();
    const fired: string[] = [];
    ambient.timer(20, () => fired.push('late'));
    ambient.timer(10, () => fired.push('early'));
    ambient.timer(15, () => fired.push('never'))();
    const slept = ambient.sleep(12).then(() => fired.push('slept'));
    await ambient.advance(25);
    await slept;
    expect(fired).toEqual(['early', 'slept', 'late']);
    expect(ambient.monotonic()).toBe(25);
  });
});
