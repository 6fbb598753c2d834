import type { Language } from '@fucina/shared/sentences';
import { cleanLine } from '../../clean-text.ts';
import { providerWords, turnFailure } from '../../failure.ts';
import { isWordKey } from '../../words/index.ts';
import type { ConversationEvent, EndItem } from '../conversation/items.ts';
import type { Line, Token } from '../line.ts';
import { textLines, textSpan, wrapLine } from '../look/wrap.ts';
import type { Notice } from '../workbench.ts';
import { amount, type Card, type CardLook, duration } from './card.ts';

const NAME_WIDTH = 120;
const MUTED = { token: 'muted' } as const;

export const questionsCard: Card<'questions'> = ({ questions, status, answers }, { width, say }) => {
  const head: Line = [
    { text: '? ', token: 'accent' },
    { text: say(`card.questions-${status}`), isBold: true },
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

/** `content` is drawn by whoever draws Markdown. */
export function planHead(status: 'proposed' | 'approved' | 'changes-requested' | 'cancelled', look: CardLook): Line[] {
  const token: Token = status === 'approved' ? 'success' : status === 'cancelled' ? 'muted' : 'accent';
  return wrapLine(
    [
      { text: '◆ ', token },
      { text: look.say(`card.plan-${status}`), isBold: true },
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

export const eventCard: Card<'event'> = ({ event }, { width, say }) =>
  wrapLine([{ text: `· ${sentenceOf(event, say)}`, token: event.name === 'fallback' ? 'warning' : 'muted' }], width, {
    rest: [{ text: '  ' }],
  });

function sentenceOf(event: ConversationEvent, say: CardLook['say']): string {
  switch (event.name) {
    case 'compaction': {
      const { state, before, after } = event;
      if (state !== 'done') return say(`event.compaction-${state}`);
      return say('event.compaction-done', { before: amount(before ?? 0), after: amount(after ?? 0) });
    }
    case 'fallback':
      return say('event.fallback', { from: cleanLine(event.from, NAME_WIDTH), to: cleanLine(event.to, NAME_WIDTH) });
    case 'mode':
      return say(event.isPlanning ? 'event.planning' : 'event.not-planning');
    case 'resumed':
      return say('event.resumed');
    case 'undo': {
      const what = say(event.isUndo ? 'event.undone' : 'event.redone', { count: event.files });
      return event.skipped > 0 ? `${what} ${say('event.undo-skipped', { count: event.skipped })}` : what;
    }
    case 'workflow':
      return say('event.workflow', {
        title: cleanLine(event.title, NAME_WIDTH),
        status: statusWord(event.status, say),
      });
    case 'elicitation':
      return say(`event.elicitation-${event.state}`, {
        server: cleanLine(event.server, NAME_WIDTH),
        message: cleanLine(event.message, NAME_WIDTH),
      });
    case 'artifact':
      return say('event.artifact', { title: cleanLine(event.title, NAME_WIDTH) });
  }
}

function statusWord(status: string, say: CardLook['say']): string {
  const key = `run.${status}`;
  return isWordKey(key) ? say(key) : cleanLine(status, NAME_WIDTH);
}

export function endCard(item: EndItem, { width, say }: CardLook, language: Language): Line[] {
  const { outcome, durationMs, tokens, changedFiles } = item;
  const facts = [
    duration(durationMs),
    ...(tokens === undefined ? [] : [say('turn.tokens', { count: amount(tokens) })]),
    ...(changedFiles === 0
      ? []
      : [changedFiles === 1 ? say('turn.changed-one') : say('turn.changed', { count: changedFiles })]),
  ];
  const footer = wrapLine([{ text: facts.join(' · '), token: 'muted' }], width);
  if (outcome === 'finished') return footer;
  const [message, action] = failureOf(item, say, language);
  const token: Token = outcome === 'error' ? 'danger' : 'warning';
  const mark: Line = [{ text: outcome === 'error' ? '✗ ' : '■ ', token }];
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
  if (outcome === 'steps-used-up') return [say('turn.steps'), say('card.go-on')];
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

/** The head of something said by the tool itself; a body of lines is as wide as it was made. */
export function toldHead({ title, tone }: Notice, { width }: CardLook): Line[] {
  if (title === undefined) return [];
  return wrapLine([textSpan(title, { token: TONES[tone], isBold: true })], width);
}

export function toneOf({ tone }: Notice): Token {
  return TONES[tone];
}
