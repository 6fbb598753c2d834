import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { type Automations, createAutomations } from '../src/automations.ts';
import type { RunOrder, RunReport, RunSessions } from '../src/needs.ts';

export const START_MS = Date.UTC(2026, 0, 1, 12);

/** Simulated sessions: each run continues until the test ends it. */
export interface FakeSessions extends RunSessions {
  started: (RunOrder & { sessionId: string; at: number })[];
  templates: { taskId: string; sessionId: string; at: number }[];
  finish(sessionId: string, report?: Partial<RunReport>): Promise<void>;
  /** The errors that the next starts throw. */
  failure: unknown;
  /** Runs end at once by themselves. */
  isQuick: boolean;
}

export interface Fixture extends AsyncDisposable {
  dir: TempDir;
  sessions: FakeSessions;
  /** Advances time, in steps no longer than the scheduler's sleep. */
  advance(ms: number): Promise<void>;
  /** Moves only the wall clock. */
  jump(ms: number): void;
  now(): number;
  open(more?: Partial<Parameters<typeof createAutomations>[0]>): Automations;
}

export async function fixture(): Promise<Fixture> {
  const dir = await tempDir();
  const clock = fakeAmbient(START_MS);
  let shift = 0;
  let count = 0;
  const ambient = { ...clock, now: () => clock.now() + shift, newId: () => `id-${(count += 1)}` };
  const sessions = fakeSessions(() => ambient.now());
  const opened: Automations[] = [];
  return {
    dir,
    sessions,
    now: () => ambient.now(),
    jump: (ms) => void (shift += ms),
    async advance(ms) {
      await clock.advance(ms);
      for (let turn = 0; turn < 5; turn += 1) await settle();
    },
    open(more = {}) {
      const made = createAutomations({
        ambient,
        dataDir: dir.path,
        sessions,
        folderOf: async (path) => (path.includes('gone') ? undefined : path),
        templateName: async (taskId) => `Template ${taskId}`,
        isModelId: (model) => model.includes(':'),
        modelProblem: async () => undefined,
        systemZone: 'Europe/Rome',
        ...more,
      });
      opened.push(made);
      return made;
    },
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const DONE: RunReport = { isRunning: false, outcome: 'done', text: 'All fine.', code: null, retryAfterMs: null };

function fakeSessions(now: () => number): FakeSessions {
  const waiting = new Map<string, { resolve(): void; done: Promise<void> }>();
  const reports = new Map<string, RunReport>();
  let count = 0;
  const begin = (): string => {
    if (sessions.failure !== undefined) throw sessions.failure;
    const sessionId = `session-${(count += 1)}`;
    let resolve = (): void => undefined;
    const done = new Promise<void>((settled) => (resolve = settled));
    waiting.set(sessionId, { resolve, done });
    if (sessions.isQuick) {
      reports.set(sessionId, DONE);
      resolve();
    }
    return sessionId;
  };
  const sessions: FakeSessions = {
    started: [],
    templates: [],
    failure: undefined,
    isQuick: false,
    async start(order) {
      const sessionId = begin();
      sessions.started.push({ ...order, sessionId, at: now() });
      return { sessionId };
    },
    async startTemplate({ taskId }) {
      const sessionId = begin();
      sessions.templates.push({ taskId, sessionId, at: now() });
      return { sessionId };
    },
    settled: async (sessionId) => waiting.get(sessionId)?.done,
    report: async (sessionId) =>
      waiting.has(sessionId) ? (reports.get(sessionId) ?? { ...DONE, isRunning: true }) : undefined,
    stop: async (sessionId) => sessions.finish(sessionId, { outcome: 'stopped', text: '' }),
    async finish(sessionId, report = {}) {
      reports.set(sessionId, { ...DONE, ...report });
      waiting.get(sessionId)?.resolve();
      for (let turn = 0; turn < 5; turn += 1) await settle();
    },
  };
  return sessions;
}
