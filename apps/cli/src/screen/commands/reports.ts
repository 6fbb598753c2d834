import { VERSION } from '@fucina/shared/version';
import { cleanLine } from '../../clean-text.ts';
import { localTime } from '../../local-time.ts';
import type { Words } from '../../words/index.ts';
import { dollars, shortCount } from '../cards/card.ts';
import { contextPercent } from '../cards/context-percent.ts';
import type { Line, Token } from '../line.ts';
import { textLines, textSpan, wrapLine } from '../render/wrap.ts';
import type { Workbench } from '../workbench.ts';
import { permissionChoiceOf } from './permission-modes.ts';

/** Current model, permissions, folder and session. */
export async function showStatus({ terminal, services, conversation, dir, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  const choice = conversation.choice();
  const sessionId = conversation.sessionId();
  const row = sessionId === undefined ? undefined : await services.sessions.read(sessionId);
  const { messages, isPaused } = conversation.queue();
  const total = row?.total;
  const queue = say(isPaused ? 'status.queue-paused' : 'status.queue', { count: messages.length });
  tell({
    tone: 'info',
    title: say('status.title'),
    body: table([
      ['Fucina', VERSION],
      [say('status.model'), choice.model ?? say('status.no-model')],
      [say('status.effort'), choice.effort],
      [say('status.permissions'), say(`permission.${permissionChoiceOf(choice)}`)],
      [say('status.folder'), row?.header.folder ?? dir],
      [say('status.session'), sessionId ?? say('status.no-session')],
      [say('status.name'), row?.name ?? undefined],
      [say('status.used'), total ? say('status.tokens', tokensOf(total)) : undefined],
      [say('status.waiting'), messages.length ? queue : undefined],
    ]),
  });
}

function tokensOf({
  promptTokens,
  completionTokens,
  runs,
}: {
  promptTokens: number;
  completionTokens: number;
  runs: number;
}) {
  return { prompt: shortCount(promptTokens), completion: shortCount(completionTokens), turns: runs };
}

/** Tokens and cost of the session, as in the status line. */
export async function showCost({ terminal, services, conversation, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  const cost = await services.sessions.cost(sessionId);
  const { promptTokens, completionTokens, cachedTokens, modelCalls, usd, callsWithoutPrice } = cost;
  const cached = !cachedTokens ? '' : ` ${say('cost.cached', { count: shortCount(cachedTokens) })}`;
  const without = callsWithoutPrice > 0 ? ` ${say('cost.without-price', { count: callsWithoutPrice })}` : '';
  tell({
    tone: 'info',
    title: say('cost.title'),
    body: table([
      [say('cost.input'), `${shortCount(promptTokens)}${cached}`],
      [say('cost.output'), shortCount(completionTokens)],
      [say('cost.calls'), String(modelCalls)],
      [say('cost.cost'), usd === null ? say('cost.unknown') : `${dollars(usd)}${without}`],
    ]),
  });
}

/** The contents of the model's context, and when the conversation will be compacted. */
export async function showContext({ terminal, conversation, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  if (conversation.sessionId() === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  const { usedTokens, parts, window } = await conversation.readContext();
  const size = window && (window.isAssumed ? say('context.unknown') : shortCount(window.tokens));
  const share = usedTokens !== undefined && window ? ` (${contextPercent(usedTokens, window, say)})` : '';
  tell({
    tone: 'info',
    title: say('context.title'),
    body: [
      ...table([
        [say('context.window'), size],
        [say('context.used'), usedTokens === undefined ? say('context.nothing') : `${shortCount(usedTokens)}${share}`],
        [say('context.trigger'), window && shortCount(window.triggerTokens)],
      ]),
      ...parts
        .filter(({ id, tokens }) => PARTS.has(id) && tokens > 0)
        .map(({ id, tokens }) => partLine(say(`context.${id}` as keyof Words), tokens, usedTokens ?? tokens)),
    ],
  });
}

const PARTS: ReadonlySet<string> = new Set(['system', 'rules', 'memory', 'tools', 'mcp', 'conversation']);
const BAR = 24;

function partLine(name: string, tokens: number, all: number): Line {
  const filled = Math.max(1, Math.round((tokens / all) * BAR));
  return [
    { text: `${name.padEnd(LABEL)} ` },
    { text: '█'.repeat(filled), token: 'accent' },
    { text: '░'.repeat(BAR - filled), token: 'line' },
    { text: ` ${shortCount(tokens)}`, token: 'muted' },
  ];
}

/** Changes in the folder since the last commit, from git. */
export async function showDiff({ terminal, services, conversation, tell, page }: Workbench): Promise<void> {
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  const { reading } = services.sessionGit;
  const { entries } = await reading.state(sessionId);
  if (entries.length === 0) return tell({ tone: 'info', body: say('diff.none') });
  const texts: string[] = [];
  for (const { path, isStaged, isUnstaged, kind } of entries.slice(0, MOST_FILES)) {
    const areas = [
      ...(isStaged ? ['staged' as const] : []),
      ...(isUnstaged || kind === 'untracked' ? ['work' as const] : []),
    ];
    for (const area of areas) {
      // A folder, a submodule, or reverted in the meantime: there is no text to show.
      const diff = await reading.diff(sessionId, path, area).catch(() => undefined);
      if (diff) texts.push(diff.isBinary ? say('diff.binary', { path: cleanLine(path, PATH_WIDTH) }) : diff.text);
    }
  }
  const left = entries.length - MOST_FILES;
  if (left > 0) texts.push(say('diff.more', { count: left }));
  const lines = texts.flatMap((text) => [...diffTextLines(text), []]);
  page(say('diff.title', { count: entries.length }), (width) =>
    lines.flatMap((line) => wrapLine(line, width, { isExact: true })),
  );
}

const MOST_FILES = 100;
const PATH_WIDTH = 200;

/** A unified diff, coloured. */
export const diffTextLines = (text: string): Line[] => textLines(text.trimEnd()).map(coloured);

function coloured(line: Line): Line {
  const text = line[0]?.text ?? '';
  return line.map((span) => ({ ...span, ...lookOf(text) }));
}

function lookOf(text: string): { token: Token; isBold?: boolean } {
  if (text.startsWith('diff ')) return { token: 'accent', isBold: true };
  if (/^(?:index|---|\+\+\+|new file|deleted file|similarity|rename) ?/.test(text)) return { token: 'muted' };
  if (text.startsWith('@@')) return { token: 'info' };
  if (text.startsWith('+')) return { token: 'success' };
  return { token: text.startsWith('-') ? 'danger' : 'text' };
}

/** The items of the project's library. */
export async function showLibrary(workbench: Workbench): Promise<void> {
  const { terminal, services, conversation, tell } = workbench;
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  const items = await services.sessionLibrary.list(sessionId);
  if (!items?.length) return tell({ tone: 'info', body: say(items ? 'library.none' : 'library.unreadable') });
  const body = items.map(
    ({ name, fileType, updatedAt }): Line => [
      { text: `${localTime(updatedAt)}  `, token: 'muted' },
      textSpan(name, { isBold: true }),
      { text: `  ${say(`library.${fileType}`)}`, token: 'muted' },
    ],
  );
  tell({ tone: 'info', title: say('library.title'), body });
}

const LABEL = 14;

function table(rows: readonly (readonly [label: string, value: string | undefined])[]): Line[] {
  return rows.flatMap(([label, value]): Line[] =>
    value ? [[{ text: `${label.padEnd(LABEL)} `, token: 'muted' }, textSpan(value)]] : [],
  );
}
