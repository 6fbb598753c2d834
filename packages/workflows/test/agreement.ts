import { AppError } from '@fucina/shared';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import * as fc from 'fast-check';
import { openContentStore } from '../src/content/content-store.ts';
import type { DefinitionCore } from '../src/definition/core.ts';
import { graphOf } from '../src/definition/graph.ts';
import { writeDefinition } from '../src/definition/write-definition.ts';
import type { FaultMoment } from '../src/runs/needs.ts';
import type { ControlRunRequest, StartRunRequest } from '../src/runs/orders.ts';
import type { RunCommand } from '../src/runs/run-state.ts';
import { createRuns, type Runs } from '../src/runs/runs.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { compareRows } from './compare-rows.ts';
import { edgeWith, headWith, nodeWith } from './cores.ts';
import { createReference, type Plan, type Reference } from './reference.ts';
import { type FakeSteps, fakeSteps, ROOT } from './run-fixture.ts';

const MOMENTS: readonly FaultMoment[] = ['before-write', 'before-commit', 'after-commit'];
const COMMANDS: readonly RunCommand[] = ['pause', 'resume', 'cancel', 'retry'];
const CLIENTS = 4;

/** One random event of a run. Numbers choose among the available items. */
type Happening =
  | { kind: 'command'; command: RunCommand; clients: number }
  | { kind: 'command-cut'; command: RunCommand; moment: FaultMoment }
  | { kind: 'repeat'; which: number }
  | { kind: 'misuse'; which: number; command: RunCommand }
  | { kind: 'finish'; which: number; isSuccess: boolean }
  | { kind: 'finish-cut'; which: number; isSuccess: boolean; moment: FaultMoment }
  | { kind: 'restart' };

const command = fc.constantFrom(...COMMANDS);
const moment = fc.constantFrom(...MOMENTS);
const which = fc.nat({ max: 20 });
const isSuccess = fc.boolean();

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      command,
      clients: fc.integer({ min: 1, max: CLIENTS }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('command-cut' as const), command, moment }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('misuse' as const), which, command }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('finish' as const), which, isSuccess }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('finish-cut' as const), which, isSuccess, moment }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

const plan: fc.Arbitrary<Plan> = fc
  .array(fc.record({ isUncertainWhenCut: fc.boolean(), follows: fc.array(fc.nat({ max: 4 }), { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((steps) => ({
    steps: steps.map(({ isUncertainWhenCut, follows }, at) => ({
      id: `s${at}`,
      isUncertainWhenCut,
      // The graph must be connected: each step depends on at least one before it.
      dependsOn: at === 0 ? [] : [...new Set([...follows, 0].map((chosen) => `s${chosen % at}`))],
    })),
  }));

const story = fc.record({ plan, happenings: fc.array(happening, { minLength: 1, maxLength: 14 }) });
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * An engine over one store that can be made to crash at a point of its next write, and is then replaced by another.
 */
interface Stage extends AsyncDisposable {
  /** Runs a random sequence in parallel with the reference; throws at the first difference. */
  play: (script: Story) => Promise<void>;
}

/** Runs this many sequences; returns the first one that differs from the reference, shrunk, with the difference. */
export async function firstDifference(stories: number): Promise<{ how: unknown; story: Story } | undefined> {
  await using stage = await createStage();
  const found = await fc.check(fc.asyncProperty(story, stage.play), { numRuns: stories });
  return found.counterexample ? { how: found.errorInstance, story: found.counterexample[0] } : undefined;
}

async function createStage(): Promise<Stage> {
  const dir = await tempDir();
  const ambient = fakeAmbient();
  const store = openStore({ ambient, dataDir: dir.path });
  const content = openContentStore({ dataDir: dir.path, db: store.db });
  const troupe: Troupe = { ambient, store, steps: fakeSteps(), content, stories: 0 };
  return {
    play: (script) => playStory(troupe, script),
    async [Symbol.asyncDispose]() {
      // Crashed engines of this process keep trying while there is a store to reject their writes.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

interface Troupe {
  ambient: FakeAmbient;
  store: Store;
  steps: FakeSteps;
  content: ReturnType<typeof openContentStore>;
  stories: number;
}

/** The engine of one process: once it died it writes no more, whatever it still tries. */
interface Engine {
  runs: Runs;
  dieAt(moment: FaultMoment): void;
  isDead(): boolean;
}

function boot({ ambient, store, steps, content }: Troupe): Engine {
  let next: FaultMoment | undefined;
  let isDead = false;
  /** Sessions that a crashed process would stop continue. */
  const heard = (signal: AbortSignal): AbortSignal => {
    const controller = new AbortController();
    const abort = (): void => {
      if (!isDead) controller.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return controller.signal;
  };
  const runs = createRuns({
    ambient,
    db: store.db,
    content,
    steps: { ...steps, run: (order, begun, signal) => steps.run(order, begun, heard(signal)) },
    isBackground: true,
    concurrency: { total: 16, perProvider: 16 },
    sessionExists: (sessionId) => sessionId === ROOT,
    fault(now) {
      if (!isDead && now !== next) return;
      isDead = true;
      throw new Error('the process has ended');
    },
  });
  runs.begin();
  return { runs, dieAt: (chosen) => void (next = chosen), isDead: () => isDead };
}

interface Scene {
  troupe: Troupe;
  engine: Engine;
  reference: Reference;
  runId: string;
  start: StartRunRequest;
  /** All accepted commands. */
  accepted: { command: RunCommand; order: ControlRunRequest }[];
  finished: Set<string>;
}

async function playStory(troupe: Troupe, { plan: script, happenings }: Story): Promise<void> {
  const { steps, ambient } = troupe;
  troupe.stories += 1;
  steps.crash();
  const finished = new Set<string>();
  let again: string | undefined;
  let own: string | undefined;
  // Unfinished runs of earlier sequences continue beside this one.
  steps.script(({ runId, nodeId }) => {
    if (runId === own && finished.has(nodeId)) again = nodeId;
    return 'hold';
  });
  const engine = boot(troupe);
  const start = write(troupe, script);
  const starts = await Promise.allSettled(
    Array.from({ length: CLIENTS }, () => engine.runs.start({ ...start, commandId: ambient.newId() })),
  );
  const winners = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (winners.length !== 1 || !winners[0]) throw new Error(`${winners.length} clients started one version`);
  own = winners[0].runId;
  await engine.runs.settled();
  const scene: Scene = {
    troupe,
    engine,
    reference: createReference(script),
    runId: winners[0].runId,
    start,
    accepted: [],
    finished,
  };
  compareScene(scene, 'start');
  for (const [at, happening] of happenings.entries()) {
    await happen(scene, happening);
    await calm(scene);
    compareScene(scene, `${at}: ${JSON.stringify(happening)}`);
    if (again !== undefined) throw new Error(`${again} ran again after it had succeeded`);
  }
  // Leaves nothing for the recovery of the next sequence.
  if (scene.reference.allows('cancel')) await ask(scene, 'cancel', orderOf(scene));
  await calm(scene);
  await Promise.race([scene.engine.runs[Symbol.asyncDispose](), ambient.advance(4_000)]);
  await scene.engine.runs.settled();
}

function write({ store, ambient, stories }: Troupe, { steps }: Plan): StartRunRequest {
  const core: DefinitionCore = {
    ...headWith(),
    nodes: steps.map(({ id, isUncertainWhenCut }) =>
      nodeWith(id, {
        activityPolicy: {
          effectClass: 'reconcilable',
          retryMode: isUncertainWhenCut ? 'manual-on-uncertain' : 'at-least-once',
          maxAttempts: 3,
          deadlineMs: null,
        },
        retryPolicy: { backoff: 'none', jitter: false, retryOn: [] },
      }),
    ),
    edges: steps.flatMap(({ id, dependsOn }) => dependsOn.map((other) => edgeWith(other, id))),
  };
  const workflowId = `00000000-0000-8000-8000-${String(stories).padStart(12, '0')}`;
  const { key, definitionHash } = writeDefinition(store.db(), graphOf(core), {
    workflowId,
    version: 1,
    sessionId: ROOT,
    proposal: { initiatingSessionId: ROOT, createdAt: '', plannerModel: null, sessionModel: null },
    preflight: { errors: [], warnings: [], estimates: {} },
    createdAt: ambient.now(),
  });
  store.db().prepare('INSERT INTO approvals VALUES (?, ?, ?)').run(key, ambient.newId(), ambient.now());
  return { workflowId, version: 1, definitionHash, commandId: ambient.newId() };
}

/** Until no more changes follow. */
async function calm({ engine, troupe }: Scene): Promise<void> {
  await engine.runs.settled();
  await troupe.ambient.advance(1);
  await engine.runs.settled();
}

async function reboot(scene: Scene): Promise<void> {
  scene.troupe.steps.crash();
  const gone = scene.engine.runs;
  scene.engine = boot(scene.troupe);
  await calm(scene);
  await gone.settled();
}

async function happen(scene: Scene, happening: Happening): Promise<void> {
  switch (happening.kind) {
    case 'command':
      return race(scene, happening.command, happening.clients);
    case 'command-cut':
      return cutCommand(scene, happening.command, happening.moment);
    case 'repeat':
      return repeat(scene, happening.which);
    case 'misuse':
      return misuse(scene, happening);
    case 'finish':
      return finish(scene, happening);
    case 'finish-cut':
      return cutFinish(scene, happening);
    case 'restart':
      scene.reference.restart();
      return reboot(scene);
  }
}

function orderOf({ runId, troupe }: Scene): ControlRunRequest {
  return { sessionId: ROOT, runId, commandId: troupe.ambient.newId() };
}

const ask = (scene: Scene, command: RunCommand, order: ControlRunRequest) => scene.engine.runs[command](order);

async function race(scene: Scene, asked: RunCommand, clients: number): Promise<void> {
  const orders = Array.from({ length: clients }, () => orderOf(scene));
  const isAllowed = scene.reference.allows(asked);
  const answers = await Promise.allSettled(orders.map((order) => ask(scene, asked, order)));
  const won = answers.flatMap((answer, at) => (answer.status === 'fulfilled' ? [at] : []));
  if (won.length !== (isAllowed ? 1 : 0)) throw new Error(`${won.length} of ${clients} clients could ${asked}`);
  for (const answer of answers) {
    if (answer.status === 'rejected' && codeOf(answer.reason) !== 'WORKFLOW_RUN_STATE_CONFLICT') throw answer.reason;
  }
  const order = orders[won[0] ?? -1];
  if (!order) return;
  scene.accepted.push({ command: asked, order });
  scene.reference.command(asked);
}

/** The process crashes while it writes a command; the client repeats it to the next one. */
async function cutCommand(scene: Scene, asked: RunCommand, at: FaultMoment): Promise<void> {
  const { reference, engine } = scene;
  const order = orderOf(scene);
  const isAllowed = reference.allows(asked);
  engine.dieAt(at);
  const first = await ask(scene, asked, order).catch(codeOf);
  const isKept = isAllowed && at === 'after-commit';
  if (!isAllowed && first === 'WORKFLOW_RUN_STATE_CONFLICT' && !engine.isDead()) {
    // Rejected before that point: the process lives on.
    engine.dieAt('before-write');
    await ask(scene, 'pause', orderOf(scene)).catch(codeOf);
  }
  if (isKept) reference.keep(asked);
  reference.restart();
  await reboot(scene);
  compareScene(scene, `${asked} cut ${at}`);
  const mayBeAsked = isKept || reference.allows(asked);
  const second = await ask(scene, asked, order).then(({ isReplay }) => (isReplay ? 'replayed' : 'accepted'), codeOf);
  const expected = isKept ? 'replayed' : mayBeAsked ? 'accepted' : 'WORKFLOW_RUN_STATE_CONFLICT';
  if (second !== expected) throw new Error(`${asked} cut ${at} was then ${second}, not ${expected}`);
  if (second === 'accepted') reference.command(asked);
  if (mayBeAsked) scene.accepted.push({ command: asked, order });
}

async function repeat(scene: Scene, chosen: number): Promise<void> {
  const known = scene.accepted[chosen % Math.max(1, scene.accepted.length)];
  if (!known) return;
  const { isReplay } = await ask(scene, known.command, known.order);
  if (!isReplay) throw new Error(`${known.command} was done twice`);
}

/** The id of an accepted command, reused for another one. */
async function misuse(scene: Scene, { which: chosen, command: asked }: { which: number; command: RunCommand }) {
  const known = scene.accepted[chosen % Math.max(1, scene.accepted.length)];
  if (!known || known.command === asked) return;
  const answer = await ask(scene, asked, known.order).then(() => 'accepted', codeOf);
  if (answer !== 'WORKFLOW_COMMAND_CONFLICT') throw new Error(`an id was taken twice: ${String(answer)}`);
}

function chosenStep({ reference }: Scene, chosen: number): string | undefined {
  const running = reference.running();
  return running[chosen % Math.max(1, running.length)];
}

async function finish(scene: Scene, { which: chosen, isSuccess: isWell }: { which: number; isSuccess: boolean }) {
  const id = chosenStep(scene, chosen);
  if (id === undefined) return;
  if (isWell) scene.finished.add(id);
  scene.troupe.steps.release(id, isWell ? { text: `result of ${id}` } : { errorClass: 'internal' });
  scene.reference.finish(id, isWell);
}

/** The process crashes while it records the end of a step; the step's session has ended anyway. */
async function cutFinish(
  scene: Scene,
  { which: chosen, isSuccess: isWell, moment: at }: { which: number; isSuccess: boolean; moment: FaultMoment },
): Promise<void> {
  const id = chosenStep(scene, chosen);
  if (id === undefined) return;
  const { reference, engine, troupe } = scene;
  if (isWell) scene.finished.add(id);
  const before = new Set(reference.running());
  engine.dieAt(at);
  troupe.steps.release(id, isWell ? { text: `result of ${id}` } : { errorClass: 'internal' });
  await engine.runs.settled();
  reference.finish(id, isWell);
  // Its dependents had not started yet: they were not interrupted and simply start.
  const cut = reference.running().filter((other) => before.has(other));
  reference.restart(cut);
  await reboot(scene);
}

function compareScene({ troupe, runId, reference }: Scene, when: string): void {
  compareRows({ db: troupe.store.db(), steps: troupe.steps, runId, reference }, when);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'died';
}
