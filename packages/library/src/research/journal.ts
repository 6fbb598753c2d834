import * as z from 'zod';

export const STEP_KINDS = ['search', 'read', 'synthesise', 'verify'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

const spend = z.object({ tokens: z.int(), searches: z.int(), pages: z.int() });
export type Spend = z.output<typeof spend>;
export const NO_SPEND: Spend = { tokens: 0, searches: 0, pages: 0 };

const hit = z.object({ url: z.string(), title: z.string(), snippet: z.string(), publishedAt: z.string().nullable() });
export type Hit = z.output<typeof hit>;

const source = z.object({
  url: z.string(),
  title: z.string(),
  publishedAt: z.string().nullable(),
  accessedAt: z.string(),
  /** Whether the page was read, or only the search result. */
  obtained: z.enum(['page', 'snippet']),
  /** Hash of the text under `fonti/`. */
  sha256: z.string(),
});
export type Source = z.output<typeof source>;

export const VERDICTS = ['supported', 'partial', 'unsupported', 'contested'] as const;
export type Verdict = (typeof VERDICTS)[number];

const draftClaim = z.object({
  text: z.string(),
  /** From 1. */
  sourceIndex: z.int(),
  /** A quote from the source; '' when it was not found there. */
  passage: z.string(),
});
export type DraftClaim = z.output<typeof draftClaim>;

const draft = z.object({ title: z.string(), summary: z.string(), report: z.string(), claims: z.array(draftClaim) });
export type Draft = z.output<typeof draft>;

const planned = z.object({ question: z.string(), queries: z.array(z.string()) });
export type Planned = z.output<typeof planned>;

const result = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('search'), hits: z.array(hit) }),
  z.object({ kind: z.literal('read'), source }),
  z.object({ kind: z.literal('synthesise'), draft }),
  z.object({ kind: z.literal('verify'), claim: z.int(), verdict: z.enum(VERDICTS).nullable(), why: z.string() }),
]);
export type StepResult = z.output<typeof result>;

const at = z.iso.datetime();
const step = { step: z.string(), kind: z.enum(STEP_KINDS), label: z.string(), at };

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run_started'), question: z.string(), at }),
  z.object({ type: z.literal('plan_proposed'), title: z.string(), plan: z.array(planned), spend, at }),
  z.object({ type: z.literal('plan_approved'), at }),
  z.object({ type: z.literal('step_started'), ...step }),
  z.object({ type: z.literal('step_finished'), ...step, result, spend }),
  z.object({ type: z.literal('step_failed'), ...step, reason: z.string(), spend }),
  z.object({ type: z.literal('run_pause_requested'), at }),
  z.object({ type: z.literal('run_paused'), at }),
  z.object({ type: z.literal('run_resumed'), at }),
  z.object({ type: z.literal('run_renamed'), title: z.string().nullable(), at }),
  z.object({ type: z.literal('run_cancelled'), at }),
  z.object({ type: z.literal('run_finished'), state: z.string(), at }),
]);
export type JournalEvent = z.output<typeof event>;
type WithoutTime<Event> = Event extends JournalEvent ? Omit<Event, 'at'> : never;
export type NewEvent = WithoutTime<JournalEvent>;

/** The events of a journal, and the number of invalid lines: the last line may be incomplete after a crash. */
export function readJournal(text: string): { events: JournalEvent[]; skipped: number } {
  const events: JournalEvent[] = [];
  let skipped = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = parseLine(line);
    if (parsed) events.push(parsed);
    else skipped += 1;
  }
  return { events, skipped };
}

function parseLine(line: string): JournalEvent | undefined {
  try {
    return event.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
