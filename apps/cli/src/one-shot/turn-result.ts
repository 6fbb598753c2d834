import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { FailureFacts } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { TurnRecord } from './turn-record.ts';

export type Outcome =
  | 'finished'
  | 'steps-used-up'
  | 'stopped'
  | 'interrupted'
  | 'answer-cut'
  | 'answer-refused'
  | 'answer-empty'
  | 'error';

/** The output of `json` and the last record of `stream-json`. */
export interface TurnResult {
  /** null when the session could not start. */
  sessionId: string | null;
  outcome: Outcome;
  text: string;
  usage: { promptTokens: number; completionTokens: number; cachedTokens: number | null } | null;
  /** Model calls. */
  turns: number;
  changes: readonly string[];
  /** Requests for approval that were denied. */
  denials: number;
  durationMs: number;
  /** `text` is a plan that has not been approved yet. */
  plan?: true;
  /** The value for the requested schema. */
  structured?: unknown;
  error?: FailureFacts;
}

const OUTCOMES: Record<string, Outcome> = {
  stopped: 'stopped',
  'step-limit': 'steps-used-up',
  SESSION_INTERRUPTED: 'interrupted',
  'answer-cut': 'answer-cut',
  'answer-refused': 'answer-refused',
  'answer-empty': 'answer-empty',
};

const OUTCOME_EXITS: Record<Outcome, ExitCode> = {
  finished: EXIT.done,
  'steps-used-up': EXIT.stepsUsedUp,
  stopped: EXIT.interrupted,
  interrupted: EXIT.interrupted,
  'answer-cut': EXIT.noAnswer,
  'answer-refused': EXIT.noAnswer,
  'answer-empty': EXIT.noAnswer,
  error: EXIT.failed,
};

export function outcomeOf({ ending, hasPlan }: TurnRecord): Outcome {
  if (!ending) return 'interrupted';
  // Stopped because there was no user to approve the requested plan.
  if (hasPlan && ending.isError && ending.code === 'stopped') return 'finished';
  return ending.isError ? (OUTCOMES[ending.code] ?? 'error') : 'finished';
}

export async function turnExit(record: TurnRecord, { error }: Pick<TurnResult, 'error'>): Promise<ExitCode> {
  const { ending, denials } = record;
  const outcome = outcomeOf(record);
  if (outcome === 'finished' && error) return EXIT.failed;
  if (outcome === 'finished' && denials > 0) return EXIT.denied;
  if (outcome !== 'error' || !ending?.isError) return OUTCOME_EXITS[outcome];
  const { exitOfTurn } = await import('../failure.ts');
  return exitOfTurn(ending);
}

interface ResultNeeds {
  sessionId: string;
  durationMs: number;
  terminal: Terminal;
  /** Validates the last message against the schema, if there is one. */
  answer: ReturnType<AnswerSchema['check']> | undefined;
}

export async function turnResult(
  record: TurnRecord,
  { sessionId, durationMs, terminal, answer }: ResultNeeds,
): Promise<TurnResult> {
  const { text, usage, changes, denials } = record;
  const error = (await turnError(record, terminal, sessionId)) ?? shapeError(answer, terminal);
  return {
    sessionId,
    outcome: outcomeOf(record),
    text,
    usage: usage && {
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      cachedTokens: usage.cached_tokens,
    },
    turns: usage?.steps ?? 0,
    changes,
    denials,
    durationMs: Math.round(durationMs),
    ...(record.hasPlan && { plan: true as const }),
    ...(answer && 'value' in answer && { structured: answer.value }),
    ...(error && { error }),
  };
}

function shapeError(answer: ResultNeeds['answer'], { say }: Terminal): FailureFacts | undefined {
  return answer && 'problems' in answer ? { code: 'answer-shape', message: say('turn.answer-shape') } : undefined;
}

async function turnError(
  record: TurnRecord,
  { language, say }: Terminal,
  sessionId: string,
): Promise<FailureFacts | undefined> {
  const { ending } = record;
  const outcome = outcomeOf(record);
  if (outcome === 'finished' || (ending && !ending.isError)) return undefined;
  const code = ending?.code ?? 'SESSION_INTERRUPTED';
  if (outcome === 'stopped') return { code: outcome, message: say('turn.stopped') };
  if (outcome === 'answer-cut' || outcome === 'answer-refused' || outcome === 'answer-empty') {
    return { code: outcome, message: say(`turn.${outcome}`) };
  }
  if (outcome === 'steps-used-up') return { code: outcome, message: say('turn.steps') };
  if (outcome === 'interrupted') return { code, message: say('turn.interrupted', { id: sessionId }) };
  const { turnFailure } = await import('../failure.ts');
  const failure = { code, message: ending?.message ?? '', failureClass: ending?.failureClass };
  const said = ending?.providerMessage;
  return { code, ...turnFailure(failure, { say, language }), ...(said !== undefined && { providerMessage: said }) };
}
