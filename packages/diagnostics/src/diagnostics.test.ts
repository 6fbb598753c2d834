import { AppError } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { describe, expect, test } from '@jest/globals';
import { createDiagnostics, type DoctorRow } from './index.ts';
import { cleaned } from './problems.ts';

const setup = async () => ({
  isIntroOff: false,
  withKey: [],
  withAddress: [],
  hasExternalAgent: false,
  isLocalConfigured: false,
  projectFolders: 0,
});
const make = (checks: Record<string, () => DoctorRow>) =>
  createDiagnostics({ ambient: fakeAmbient(), version: '1', checks: new Map(Object.entries(checks)), setup });

describe('the readiness report', () => {
  test('lists the worst result first and takes its overall state from it', async () => {
    const row = (id: string, state: DoctorRow['state']) => () => ({ id, state, finding: 'x' });
    const report = await make({ a: row('a', 'ok'), b: row('b', 'unavailable'), c: row('c', 'attention') }).doctor();
    expect(report.rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(report.state).toBe('attention');
    expect((await make({ a: row('a', 'unavailable') }).doctor()).state).toBe('ready');
  });

  test('reports a check that throws as an error row', async () => {
    const report = await make({
      bad: () => {
        throw new Error('no');
      },
    }).doctor();
    expect(report).toMatchObject({ state: 'broken', rows: [{ id: 'bad', state: 'error', finding: 'check-failed' }] });
  });

  test('without any check is REPORT_UNAVAILABLE', async () => {
    await expect(make({}).doctor()).rejects.toMatchObject({ code: 'REPORT_UNAVAILABLE' });
  });
});

describe('the setup state', () => {
  test('is ready with one usable model', async () => {
    const ways = [
      { withKey: ['openai'] },
      { withAddress: ['ollama'] },
      { hasExternalAgent: true },
      { isLocalConfigured: true },
    ];
    const state = (way: object) =>
      createDiagnostics({
        ambient: fakeAmbient(),
        version: '1',
        checks: new Map(),
        setup: async () => ({ ...(await setup()), ...way }),
      });
    for (const way of ways) expect((await state(way).setupState()).isProviderReady).toBe(true);
    expect((await state({}).setupState()).isProviderReady).toBe(false);
  });
});

describe('error details', () => {
  test('are read by reference and limited to the last five hundred', () => {
    const { problems } = make({});
    for (let index = 0; index <= 500; index += 1) {
      problems.remember({
        reference: `doctor-${index}`,
        error: new AppError('NOT_FOUND'),
        operation: 'GET /x',
        at: index,
      });
    }
    expect(() => problems.read('doctor-0')).toThrow('NOT_FOUND');
    expect(problems.read('doctor-500')).toMatchObject({ code: 'NOT_FOUND', at: 500, cause: null });
  });

  test('contain no paths, credentials, secret names or long tokens', () => {
    const text = cleaned(
      'open /home/ada/key.txt C:\\Users\\ada\\x https://ada:pw@host/x MY_API_KEY sk-abcdefgh12345678 Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5',
    );
    expect(text).not.toMatch(/ada|pw|MY_API_KEY|abcdefgh|Zm9v/);
  });
});
