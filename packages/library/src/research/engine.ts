import { type Ambient, type ExternalTurn, isAppError, type ModelEvent, textStart } from '@fucina/shared';
import { type ModelAsker, ModelUnavailable, UnusableAnswer } from './ask.ts';
import type { Hit, JournalEvent, NewEvent, Source, Spend, StepKind, StepResult } from './journal.ts';
import { NO_SPEND } from './journal.ts';
import type { ResearchMeta } from './meta.ts';
import { DEPTH_LIMITS, draftPrompt, planPrompt, type SourceText, verdictPrompt } from './prompts.ts';
import { isQuotedIn } from './quote-check.ts';
import type { ResearchFiles } from './research-files.ts';
import { foldRun, type RunState } from './run-state.ts';

export interface FoundPage {
  url: string;
  title: string;
  text: string;
  publishedAt: string | null;
}

export interface EngineNeeds {
  ambient: Ambient;
  /** With the user's search source. Throws AppError with a search code. */
  search(query: string, most: number, signal: AbortSignal): Promise<Hit[]>;
  /** Undefined for an unreadable page. */
  readPage(url: string, signal: AbortSignal): Promise<FoundPage | undefined>;
}

/** How a run ended; after `paused` it can be resumed. */
export type EngineEnd = 'written' | 'no-sources' | 'no-answer' | 'blocked' | 'turns' | 'paused';

export interface EngineRun {
  files: ResearchFiles;
  meta: ResearchMeta;
  asker: ModelAsker;
  hands: ExternalTurn;
  signal: AbortSignal;
  /** Checked between steps. */
  isPauseAsked(): boolean;
}

const READS_AT_ONCE = 3;
const JUDGES_AT_ONCE = 3;
const STORED_CHARS = 200_000;
/** Steps started, those of earlier turns included: a run that keeps failing ends. */
const MOST_STEPS = 400;

/**
 * Continues one run from its journal: the plan, the searches, the pages, the draft, the check of each claim. Completed
 * steps are never repeated. Yields what the conversation shows; returns how it ended. Throws ModelUnavailable, and the
 * signal's reason.
 */
export async function* driveRun(needs: EngineNeeds, run: EngineRun): AsyncGenerator<ModelEvent[], EngineEnd> {
  const work = await beginWork(needs, run);
  try {
    if (work.state.plan.length === 0) yield* makePlan(work);
    const collected = yield* collect(work);
    if (collected) return collected;
    if (work.state.sources.length === 0) return work.isBlocked ? 'blocked' : 'no-sources';
    if (!work.state.draft) yield* synthesise(work);
  } catch (error) {
    if (error instanceof UnusableAnswer) return 'no-answer';
    throw error;
  }
  return (yield* verify(work)) ?? 'written';
}

interface Work extends EngineRun {
  needs: EngineNeeds;
  state: RunState;
  begun: number;
  /** The gate refused a search or a page. */
  isBlocked: boolean;
  note(events: readonly NewEvent[]): Promise<void>;
}

async function beginWork(needs: EngineNeeds, run: EngineRun): Promise<Work> {
  const { events } = await run.files.journal();
  let before: Promise<unknown> = Promise.resolve();
  const work: Work = {
    ...run,
    needs,
    state: foldRun(events),
    begun: events.filter(({ type }) => type === 'step_started').length,
    isBlocked: false,
    note(added) {
      // Sequentially: the order in memory must match the file, which numbers the sources.
      const noted = before.then(async () => {
        const at = new Date(needs.ambient.now()).toISOString();
        const stamped = added.map((event) => ({ ...event, at }) as JournalEvent);
        await run.files.append(stamped);
        events.push(...stamped);
        work.state = foldRun(events);
      });
      before = noted.catch(() => undefined);
      return noted;
    },
  };
  const isBegun = events.some(({ type }) => type === 'run_started');
  const rests = ['paused', 'pause_requested'].includes(work.state.state);
  if (!isBegun) await work.note([{ type: 'run_started', question: run.meta.domanda }]);
  else if (rests && !run.isPauseAsked()) await work.note([{ type: 'run_resumed' }]);
  return work;
}

const say = (text: string): ModelEvent[] => [{ type: 'text', delta: `${text}\n` }];

async function* makePlan(work: Work): AsyncGenerator<ModelEvent[]> {
  const { meta, asker, signal } = work;
  const reach = DEPTH_LIMITS[meta.profondita];
  const { answer, tokens } = await asker.ask(planPrompt(meta.domanda, reach), signal);
  const plan = answer.plan
    .slice(0, reach.questions)
    .map(({ question, queries }) => ({ question, queries: queries.slice(0, reach.queries) }));
  await work.files.savePlan({ title: answer.title, plan });
  await work.note([
    { type: 'plan_proposed', title: answer.title, plan, spend: { ...NO_SPEND, tokens } },
    { type: 'plan_approved' },
  ]);
  yield say(`**${answer.title}**\n\n${plan.map(({ question }, at) => `${at + 1}. ${question}`).join('\n')}\n`);
}

/** Undefined when all searches are done. */
async function* collect(work: Work): AsyncGenerator<ModelEvent[], EngineEnd | undefined> {
  const reach = DEPTH_LIMITS[work.meta.profondita];
  const queries = work.state.plan.flatMap(({ queries: own }) => own);
  for (const [index, query] of queries.entries()) {
    const step = { step: `search-${index + 1}`, kind: 'search' as const, label: query };
    if (isDone(work, step.step)) continue;
    const end = await boundary(work);
    if (end) return end;
    const hits = await runStep(work, step, async () => ({
      result: { kind: 'search', hits: await searched(work, query, reach.hits) },
      spend: { ...NO_SPEND, searches: 1 },
    }));
    const found = hits?.kind === 'search' ? hits.hits.length : 0;
    yield say(`- Search: ${query} (${found})`);
  }
  const wanted = work.state.hits.slice(0, reach.pages);
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const group = wanted.slice(at, at + READS_AT_ONCE).flatMap((hit, offset) => {
      const step = { step: `read-${at + offset + 1}`, kind: 'read' as const, label: hit.url };
      return isDone(work, step.step) ? [] : [{ hit, step }];
    });
    if (group.length === 0) continue;
    const end = await boundary(work);
    if (end) return end;
    const read = await allOver(group.map(({ hit, step }) => runStep(work, step, () => readSource(work, hit))));
    for (const result of read) if (result?.kind === 'read') yield say(`- Read: ${result.source.title}`);
  }
  return undefined;
}

async function searched(work: Work, query: string, most: number): Promise<Hit[]> {
  await allowed(work, { tipo: 'web_search', query });
  return work.needs.search(query, most, work.signal);
}

async function readSource(work: Work, hit: Hit): Promise<{ result: StepResult; spend: Spend }> {
  await allowed(work, { tipo: 'naviga', url: hit.url });
  const page = await work.needs.readPage(hit.url, work.signal);
  const text = (page?.text || hit.snippet).slice(0, STORED_CHARS);
  if (text.trim() === '') throw new Error('nothing can be read there');
  const source: Source = {
    url: page?.url ?? hit.url,
    title: page?.title || hit.title || hit.url,
    publishedAt: page?.publishedAt ?? hit.publishedAt,
    accessedAt: new Date(work.needs.ambient.now()).toISOString(),
    obtained: page?.text ? 'page' : 'snippet',
    sha256: await work.files.saveSource(text),
  };
  return { result: { kind: 'read', source }, spend: { ...NO_SPEND, pages: 1 } };
}

/** Everything that leaves this computer passes the session's permission gate. */
async function allowed(work: Work, action: { tipo: string; [fact: string]: unknown }): Promise<void> {
  if (await work.hands.mayDo({ effect: 'network', gate: null, action }, work.signal)) return;
  work.isBlocked = true;
  throw new Error('the permissions of this session do not allow it');
}

async function sourceTexts({ state, files }: Work): Promise<SourceText[]> {
  return Promise.all(
    state.sources.map(async (source) => ({ ...source, text: (await files.source(source.sha256)) ?? '' })),
  );
}

async function* synthesise(work: Work): AsyncGenerator<ModelEvent[]> {
  yield say('\nWriting the report …');
  const { meta, asker, signal } = work;
  const sources = await sourceTexts(work);
  const reach = DEPTH_LIMITS[meta.profondita];
  const step = { step: 'synthesise', kind: 'synthesise' as const, label: meta.domanda };
  await runStep(work, step, async () => {
    const prompt = draftPrompt({ question: meta.domanda, plan: work.state.plan, sources }, reach);
    const { answer, tokens } = await asker.ask(prompt, signal);
    const claims = answer.claims
      .filter(({ source }) => source <= sources.length)
      .slice(0, reach.claims)
      .map(({ text, source, passage }) => ({
        text,
        sourceIndex: source,
        passage: isQuotedIn(passage, sources[source - 1]?.text ?? '') ? passage : '',
      }));
    if (claims.length === 0) throw new UnusableAnswer('no claim names a source that is there');
    return { result: { kind: 'synthesise', draft: { ...answer, claims } }, spend: { ...NO_SPEND, tokens } };
  });
}

/** Checks each claim separately, in a request that contains only the claim and its source. */
async function* verify(work: Work): AsyncGenerator<ModelEvent[], EngineEnd | undefined> {
  const claims = work.state.draft?.claims ?? [];
  const sources = await sourceTexts(work);
  for (let at = 0; at < claims.length; at += JUDGES_AT_ONCE) {
    const group = claims
      .slice(at, at + JUDGES_AT_ONCE)
      .map((claim, offset) => ({ claim, index: at + offset }))
      .filter(({ index }) => !isDone(work, `verify-${index + 1}`));
    if (group.length === 0) continue;
    const end = await boundary(work);
    if (end) return end;
    await allOver(
      group.map(({ claim, index }) =>
        runStep(work, { step: `verify-${index + 1}`, kind: 'verify', label: claim.text }, async () => {
          const source = sources[claim.sourceIndex - 1];
          if (!source?.text) throw new Error('the text of the source is gone');
          const { answer, tokens } = await work.asker.ask(verdictPrompt(claim, source), work.signal);
          return { result: { kind: 'verify', claim: index, ...answer }, spend: { ...NO_SPEND, tokens } };
        }),
      ),
    );
    yield say(`- Checked: ${Math.min(claims.length, at + JUDGES_AT_ONCE)} of ${claims.length}`);
  }
  return undefined;
}

const isDone = ({ state }: Work, id: string): boolean =>
  state.steps.some((step) => step.id === id && (step.state === 'done' || step.state === 'failed'));

/** Between steps: a requested pause starts once the current steps have ended. */
async function boundary(work: Work): Promise<EngineEnd | undefined> {
  work.signal.throwIfAborted();
  if (work.begun > MOST_STEPS) return 'turns';
  if (!work.isPauseAsked()) return undefined;
  await work.note([{ type: 'run_paused' }]);
  return 'paused';
}

/** Waits for all parallel steps before throwing the first failure, so that none continues in the background. */
async function allOver<Result>(steps: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

/** Undefined for a failed step: the run continues without it. */
async function runStep(
  work: Work,
  step: { step: string; kind: StepKind; label: string },
  act: () => Promise<{ result: StepResult; spend: Spend }>,
): Promise<StepResult | undefined> {
  work.begun += 1;
  await work.note([{ type: 'step_started', ...step }]);
  try {
    const { result, spend } = await act();
    await work.note([{ type: 'step_finished', ...step, result, spend }]);
    return result;
  } catch (error) {
    // A step that the model or the user aborted is neither done nor failed: it will be restarted.
    if (work.signal.aborted || error instanceof ModelUnavailable) throw error;
    const reason = isAppError(error) ? error.code : error instanceof Error ? error.message : 'unknown';
    await work.note([{ type: 'step_failed', ...step, reason: textStart(reason, 300), spend: NO_SPEND }]);
    if (step.kind === 'synthesise') throw error;
    return undefined;
  }
}
