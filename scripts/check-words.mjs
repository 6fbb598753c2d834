// The words of what users and models read, in English: catalogues, sentences, help, README, summaries, tools and prompts.
// Wire words, keys and code are not looked at: only string literals (with a space in them) and prose.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

/** Discouraged words, and their replacements. */
const RULES = [
  [/\bsum(?:med|s)? (?:it |the conversation )?up\b/i, 'compact, summarize'],
  [/\bin hand\b/i, 'in progress'],
  [/\bset aside\b|\bput aside\b/i, 'stash, reject'],
  [/\bwide place\b/i, 'contains much more than one project'],
  [/\b(?:it|download|run|that) rests\b/i, 'is paused'],
  [/\bnothing holds\b|\bnothing held\b/i, 'no matches, not sandboxed'],
  [/\bboxed away\b/i, 'sandboxed'],
  [/\bprovider steps in\b/i, 'fallback provider'],
  [/\bresearches\b|\ba research\b(?! (?:report|task|tool|run|question|session|plan)\b)/i, 'research, research report'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\btak(?:e|es|en|ing) back\b|\btook back\b/i, 'undo, revert'],
  [/\b(?:go|goes|went|going) on with\b|\bgoes on\b/i, 'continue'],
  [/\bas good as\b/i, 'the plain fact'],
  [/\bnobody can be asked\b/i, 'there is no terminal to ask on'],
  [/\bthe person(?:['’]s)?\b|\bsomebody\b/i, 'the user, you'],
  [/\b(?:cost|price|window) not declared\b/i, 'price unknown, context size unknown'],
];

/** The same of comments, which may say more than sentences do. */
const COMMENT_RULES = [
  [/\b(?:the|a) person\b|\bsomebody\b/i, 'the user, someone'],
  [/\btak(?:e|es|en|ing) back\b|\btook back\b/i, 'undo, revert'],
  [/\bgoes on\b|\bgoing on with\b/i, 'continues'],
  [/\btold (?:as|by|from|of|apart)\b/i, 'reported, detected, distinguished'],
  [/\bbehind the scenes\b/i, 'in the background'],
  [/\bbeside each other\b/i, 'side by side, in parallel'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bas good as\b|\bword for word\b|\bto be had\b/i, 'the plain fact'],
];

/** Prose is read line by line; of code only the string literals are. */
const PROSE = ['README.md', 'docs/help/en/*.md'];
const CODE = [
  'apps/cli/src/words/en*.ts',
  'apps/window/src/words/en*.ts',
  'apps/window/src/words/more-en.ts',
  'packages/shared/src/sentences/en*.ts',
  'packages/conversation/src/labels/en.ts',
  'packages/conversation/src/labels/tools-en.ts',
  'apps/server/src/operations/**/*.ts',
  'apps/server/src/http/openapi.ts',
  'packages/*/src/**/*tool*.ts',
  'packages/sessions/src/session-tools/*.ts',
  'packages/sessions/src/slash/*.ts',
  'packages/sessions/src/undo/*.ts',
  'packages/sessions/src/context/system-prompt.ts',
  'packages/sessions/src/context/folder-brief.ts',
  'packages/sessions/src/context/compaction-text.ts',
  'packages/git/src/changing/commit-message.ts',
  'packages/providers/src/prompts/prompt-improver.ts',
];
/** Replaced names and their replacements: no identifier and no file may use them again. */
const NAMES = [
  [/\b(?:use)?[A-Z]\w*[a-z]Acts?\b|\buseAct\b/, 'Action'],
  [
    /\b(?:Kept(?:Table|Page|Lists|Model|Transfer|Stream|Kind)|createKept\w+|refreshKept|keptNames)\b/,
    'Record, Stored, Cache',
  ],
  [/\b(?:person|ownCommand)Card\b|\bPersonItem\b|\bisPersonThere\b/, 'user, isInteractive'],
  [/\b(?:create)?ModelShelf\b|\bsweepHalves\b/, 'ModelStore'],
  [
    /\b(?:create)?(?:AgentHand|PictureMaker|OutcomeTeller|StandingRules)\b/,
    'AgentBrowser, ImageGenerator, OutcomeReporter, SavedRules',
  ],
  [
    /\b(?:\w+Wish|putFilesBack|tellingWords|toldPatch|farewell|spotIn|wordsOfHold)\b/,
    'options, rollBack, restore, report',
  ],
  [
    /\b(?:kept(?:Id|List)|KeptPicture|orRefused|QUIET|openAside|isRawThere|notBegun|openKnown|anyCore)\b/,
    'what it holds or does: recordId, StoredPicture, exitOnRefusal, openMovedEntries, rawExists',
  ],
  [
    /\b(?:useL(?:ink|ive)|usePicked|usePointing|useRemoved|useGrowing|researchesQuery|soundQuery|ToLive|UnreadyLine|(?:close|open|stream)Ahead)\b/,
    'what it gives: useStreamState, useLivePage, useConversationFact, useElementPicker, prefetchStream',
  ],
  [
    /\b(?:ValueInForce|DialoguePlace|NoAnswer|unsaid|writtenCommands|editOutside|sixteenOf|asPasted|aboutOf|sweepLater)\b/,
    'EffectiveValue, UnusableAnswer, unreportedRefusals, customCommands, editInExternalEditor, cleanPaste, callSummary',
  ],
  [
    /\b(?:create)?Hands(?:Needs)?\b|\b(?:use|start)Look\b|\bswitchAutomation\b|\bTreeStep\b|\bAppendExtras\b/,
    'WorkspaceTools, Appearance, setAutomationActive, TreeKeyAction, AppendOptions',
  ],
  [
    /\b(?:told[A-Z]?\w*|\w+Told|\w*TOLD\w*|wish|desk|detour|shelf|promised|farewell|Kept(?:Test|Record|Keys|List))\b/,
    'what it holds or does: reported, options, request, redirect, store, StoredKeys, CachedList',
  ],
];
/**
 * The programs that speak English to the server. Words of the interface are translated at its edge: none is a name or a
 * value in them, except where another form than the interface's own has it.
 */
const CLIENTS = [
  'apps/window/src/**/*.ts',
  'apps/window/src/**/*.tsx',
  'apps/window/src/**/*.css',
  'apps/cli/src/**/*.ts',
  'packages/client/src/**/*.ts',
  'packages/conversation/src/**/*.ts',
];
const ITALIAN = /(?:^|[/-])it(?:-[\w-]+)?\.ts$/;
/** Words of the interface that are English, or a name of something in these programs. */
const ENGLISH_TOO = new Set(
  'a base byte come commit da file note plugin server staged worktree cerca processi prova scrivi'.split(' '),
);
const MOST_LEFT = 20;
/** Files that speak to something else, and why. */
const NOT_TRANSLATED = {
  'apps/cli/src/acp/asker.ts': 'answers to the domain of sessions',
  'apps/cli/src/acp/prompt.ts': 'records of the domain of sessions',
  'apps/cli/src/commands/domains/research.ts': 'records of the domain of research',
  'apps/cli/src/commands/permissions.ts': 'an action of the domain of sessions',
  'apps/cli/src/one-shot/begin.ts': 'records of the domain of sessions',
  'apps/cli/src/one-shot/dialogue.ts': 'answers to the domain of sessions',
  'apps/cli/src/one-shot/findings.ts': 'what compilers write in Italian',
  'apps/cli/src/one-shot/stream-input.ts': 'lines that other programs send',
  'apps/cli/src/program-domains.ts': 'formats of the domain of research',
  'apps/cli/src/screen/cards/failure-reason.ts': 'arguments as a tool names them in its result',
  'apps/cli/src/screen/commands/table.ts': 'what users type in Italian',
  'apps/cli/src/screen/input/pictures.ts': 'records of the domain of sessions',
  'apps/cli/src/screen/requests/plan-panel.ts': 'answers to the domain of sessions',
  'apps/window/src/guest': 'messages of the guest page, which the interface sets',
  'apps/window/src/panels/files/viewers/guest-view.tsx': 'messages of the guest page',
  'apps/window/src/panels/new-session/choices.ts': 'choices that earlier versions stored',
  'apps/window/src/panels/page/use-element-picker.ts': 'messages of the previewed page, which the interface sets',
  'apps/window/src/panels/terminal/connection.ts': 'messages of the terminal, which the interface sets',
  'packages/conversation/src/reader.ts': 'reads what is stored',
};
const SOURCES = ['apps/*/src/**/*.ts', 'apps/*/src/**/*.tsx', 'packages/*/src/**/*.ts'];
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

const list = (/** @type {string[]} */ patterns) =>
  execFileSync('git', ['ls-files', ...patterns.map((pattern) => `:(glob)${pattern}`)], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.test.ts'));

const faults = [];
for (const path of list(PROSE)) {
  for (const [index, line] of read(path).split('\n').entries()) judge(path, index + 1, line);
}
for (const path of list(CODE)) {
  const text = read(path).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  for (const { 0: literal, index } of text.matchAll(STRING)) {
    if (literal.includes(' ')) judge(path, text.slice(0, index).split('\n').length, literal);
  }
}
for (const path of list(SOURCES)) {
  const code = read(path)
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    .replaceAll(STRING, "''");
  for (const [pattern, instead] of NAMES) {
    const found = /** @type {RegExp} */ (pattern).exec(code);
    if (found) faults.push(`${path}: ${found[0]}: name it ${instead}`);
  }
}
for (const path of list(SOURCES)) {
  for (const [index, line] of read(path).split('\n').entries()) {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) judge(path, index + 1, line, COMMENT_RULES);
  }
}
const left = Object.keys(NOT_TRANSLATED).length;
if (left > MOST_LEFT) faults.push(`scripts/check-words.mjs: ${left} exceptions: at most ${MOST_LEFT}`);
const wireWords = wireWordsOf(JSON.parse(read('packages/wire-types/english.json')));
for (const path of list(CLIENTS)) {
  if (ITALIAN.test(path) || isLeft(path)) continue;
  const text = read(path).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const names = text.replaceAll(STRING, "''").match(/[A-Za-z_]\w*/g) ?? [];
  const literals = (text.match(STRING) ?? []).map((literal) => literal.slice(1, -1));
  const found = new Set([...names, ...literals].filter((word) => wireWords.has(word)));
  for (const word of found) faults.push(`${path}: “${word}” is a word of the interface: say it in English`);
}
if (faults.length > 0) {
  console.log(faults.join('\n'));
  process.exit(1);
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** @param {string} path @param {number} line @param {string} text */
function judge(path, line, text, rules = RULES) {
  for (const [pattern, instead] of rules) {
    const found = /** @type {RegExp} */ (pattern).exec(text);
    if (found) faults.push(`${path}:${line}: “${found[0]}”: say ${instead}`);
  }
}

/**
 * Names and values of the interface that are no English words.
 * @param {{ names: Record<string, string>, values: Record<string, string>, open: Record<string, Record<string, string>>,
 *   action: { names: Record<string, string>, values: Record<string, Record<string, string>> } }} english
 */
function wireWordsOf({ names, values, open, action }) {
  const tables = [names, values, action.names, ...Object.values(open), ...Object.values(action.values)];
  const words = tables.flatMap((table) => Object.keys(table)).map((word) => word.replace(/[[\]#?]+$/, ''));
  return new Set(words.filter((word) => !ENGLISH_TOO.has(word)));
}

/** @param {string} path */
function isLeft(path) {
  return Object.keys(NOT_TRANSLATED).some((one) => path === one || path.startsWith(`${one}/`));
}
