import type { EndItem, PlanItem, QuestionItem } from '@fucina/conversation';
import type { Language } from '@fucina/shared/sentences';
import { duration } from '../../duration.ts';
import { providerWords, turnFailure } from '../../failure.ts';
import { totalTokens } from '../conversation/state.ts';
import type { Line, Token } from '../line.ts';
import { textLines, textSpan, wrapLine } from '../render/wrap.ts';
import type { Notice } from '../workbench.ts';
import { type Card, type CardLook, shortCount } from './card.ts';

const MUTED = { token: 'muted' } as const;

export const questionsCard: Card<'question'> = ({ questions, state, answers }, { width, say }) => {
  const head: Line = [
    { text: '? ', token: 'accent' },
    { text: say(`card.questions-${questionWord(state)}`), isBold: true },
  ];
  const body = questions.flatMap(({ id, question }) => {
    const answer = answers[id];
    const given = answer === undefined ? [] : [answer].flat();
    return [
      ...textLines(question).flatMap((line) => wrapLine(line, width, { first: [{ text: '  ' }] })),
      ...given.flatMap((text) =>
        textLines(text, { token: 'accent' }).flatMap((line) =>
          wrapLine(line, width, { first: [{ text: '  → ', token: 'accent' }] }),
        ),
      ),
    ];
  });
  return [...wrapLine(head, width), ...body];
};

const questionWord = (state: QuestionItem['state']) => (state === 'waiting' ? 'open' : state);

/** `content` is drawn by the Markdown renderer. */
export function planHead(state: PlanItem['state'], look: CardLook): Line[] {
  const token: Token = state === 'approved' ? 'success' : state === 'cancelled' ? 'muted' : 'accent';
  return wrapLine(
    [
      { text: '◆ ', token },
      { text: look.say(`card.plan-${state === 'waiting' ? 'proposed' : state}`), isBold: true },
    ],
    look.width,
  );
}

export function planFeedback(feedback: string | undefined, { width }: CardLook): Line[] {
  if (!feedback) return [];
  return textLines(feedback, { token: 'accent' }).flatMap((line) =>
    wrapLine(line, width, { first: [{ text: '→ ', token: 'accent' }] }),
  );
}

export function endCard(item: EndItem, { width, say }: CardLook, language: Language): Line[] {
  const { outcome, durationMs = 0, usage, changedFiles } = item;
  const tokens = totalTokens(usage);
  const facts = [
    duration(durationMs),
    ...(tokens === undefined ? [] : [say('turn.tokens', { count: shortCount(tokens) })]),
    ...(changedFiles === 0
      ? []
      : [changedFiles === 1 ? say('turn.changed-one') : say('turn.changed', { count: changedFiles })]),
  ];
  const footer = wrapLine([{ text: facts.join(' · '), token: 'muted' }], width);
  if (outcome === 'done') return footer;
  const [message, action] = failureOf(item, say, language);
  const token: Token = outcome === 'failed' ? 'danger' : 'warning';
  const mark: Line = [{ text: outcome === 'failed' ? '✗ ' : '■ ', token }];
  const lines = textLines(message, { token }).flatMap((line) => wrapLine(line, width, { first: mark }));
  const words = item.providerMessage === undefined ? [] : textLines(providerWords(item.providerMessage, say), MUTED);
  const said = words.flatMap((line) => wrapLine(line, width, { first: [{ text: '  ' }] }));
  const help = action ? textLines(action).flatMap((line) => wrapLine(line, width, { first: [{ text: '  ' }] })) : [];
  return [...lines, ...said, ...help, ...footer];
}

/** The sentence, and what to do about it. */
function failureOf(item: EndItem, say: CardLook['say'], language: Language): [string, string?] {
  const { outcome, code = 'internal-error', message, failureClass } = item;
  if (outcome === 'stopped') return [say('turn.stopped')];
  if (outcome === 'exhausted') return [say('turn.steps'), say('card.go-on')];
  if (outcome === 'interrupted') return [say('card.interrupted'), say('card.go-on')];
  const failure = turnFailure({ code, message: message ?? '', failureClass }, { say, language });
  return [failure.message, failure.action];
}

const TONES: Readonly<Record<Notice['tone'], Token>> = {
  info: 'info',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
};

/** The heading of output of the command line itself; a body of lines keeps its width. */
export function noticeHead({ title, tone }: Notice, { width }: CardLook): Line[] {
  if (title === undefined) return [];
  return wrapLine([textSpan(title, { token: TONES[tone], isBold: true })], width);
}

export function toneOf({ tone }: Notice): Token {
  return TONES[tone];
}
