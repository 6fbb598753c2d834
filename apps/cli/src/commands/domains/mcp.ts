import { realpath } from 'node:fs/promises';
import type { McpTarget, ServerRow, Services } from '@fucina/host';
import { AppError, MCP_CALL_ANSWERS, type McpCallAnswer } from '@fucina/shared';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import { readSecret } from '../../read-secret.ts';
import type { Cell } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

/** MCP servers of the user and of the project in the current folder. */
export async function listMcp(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, err } = terminal;
  const path = await realpath(terminal.io.cwd);
  const { rows, problem } = await within(flags, terminal, (mcp) => mcp.list({ path }));
  const cells = (row: ServerRow): Cell[] => cellsOf(row, terminal);
  if (rows.length > 0 || problem === null) {
    show({ name: 'mcp', rows, empty: say('mcp.none'), cells, facts: factsOf }, flags, terminal);
  }
  if (problem === null) return EXIT.done;
  err(`fucina: ${say('extensions.unreadable', { why: oneLine(problem, 300) })}`);
  return EXIT.failed;
}

/** `fucina mcp add <name> -- <command>`, or with --url. A secret is read from the terminal or the standard input. */
export async function addMcp(flags: Flags, [id = '', ...words]: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, err, io } = terminal;
  const url = typeof flags.url === 'string' ? flags.url : undefined;
  const [command, ...args] = words;
  if ((url === undefined) === (command === undefined)) {
    err(`fucina: ${say('mcp.command-or-url')}`);
    return EXIT.usage;
  }
  const plain = url === undefined ? pairs(flags.env, '=') : pairs(flags.header, ':');
  if (!plain) {
    err(`fucina: ${say(url === undefined ? 'mcp.bad-env' : 'mcp.bad-header')}`);
    return EXIT.usage;
  }
  const names = listOf(flags.secret);
  const secrets = names.length > 0 ? await readSecrets(names, terminal) : {};
  if (!secrets) {
    err(`fucina: ${say('mcp.secret-empty')}`);
    return EXIT.usage;
  }
  const values = { ...plain, ...Object.fromEntries(names.map((name) => [name, `\${secret:${name}}`])) };
  const definition =
    url === undefined
      ? { command, args, environment: values, headers: {} }
      : { url, args: [], environment: {}, headers: values };
  const place = flags.everywhere ? { scope: 'everywhere' as const } : { scope: 'project' as const, path: io.cwd };
  const row = await within(flags, terminal, (mcp) =>
    mcp.add({ ...place, id, definition, secrets, calls: callsOf(flags) }),
  );
  const where = row.folder === null ? say('sandbox.everywhere') : oneLine(row.folder);
  reportDone(say('mcp.added', { id: oneLine(id), where }), factsOf(row), { flags, terminal });
  return EXIT.done;
}

export async function removeMcp(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { row } = await withTarget(flags, terminal, { id, act: (mcp, target) => mcp.remove(target) });
  reportDone(terminal.say('kept.deleted', { title: oneLine(row.id) }), factsOf(row), { flags, terminal });
  return EXIT.done;
}

/** Starts the server and lists its tools; the exit code is `failed` when it does not connect. */
export async function testMcp(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, out, style } = terminal;
  const { done } = await withTarget(flags, terminal, { id, act: (mcp, target) => mcp.connect(target) });
  const isGood = done.state === 'connected';
  const exit = isGood ? EXIT.done : EXIT.failed;
  if (flags.json) {
    out(JSON.stringify({ ...factsOf(done), tools: done.tools?.map(({ name }) => name) ?? null }));
    return exit;
  }
  if (!isGood) {
    out(`${style.danger('✗')} ${oneLine(id)}: ${stateWords(done, terminal)}`);
    return exit;
  }
  const tools = done.tools ?? [];
  out(`${style.success('✓')} ${oneLine(id)}: ${say('mcp.connected', { count: tools.length })}`);
  for (const { name, description } of tools) out(`  ${oneLine(name, 60)} ${style.muted(oneLine(description))}`);
  return exit;
}

export async function trustMcp(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const calls = callsOf(flags);
  await withTarget(flags, terminal, { id, act: (mcp, target) => mcp.trust(target, calls) });
  const { say } = terminal;
  const trusted = say('extensions.now-trusted', { id: oneLine(id) });
  const sentence = calls ? `${trusted} (${say(`mcp.calls-${calls}`)})` : trusted;
  reportDone(sentence, { id, isTrusted: true, ...(calls && { calls }) }, { flags, terminal });
  return EXIT.done;
}

export async function switchMcp(isOn: boolean, flags: Flags, given: Named): Promise<ExitCode> {
  const { id, terminal } = given;
  await withTarget(flags, terminal, { id, act: (mcp, target) => mcp.choose(target, { isOn }) });
  const sentence = terminal.say(isOn ? 'mcp.on' : 'mcp.off', { id: oneLine(id) });
  reportDone(sentence, { id, isOn }, { flags, terminal });
  return EXIT.done;
}

interface Named {
  id: string;
  terminal: Terminal;
}

/** Without names: what other programs' configurations have. With names: adds those. */
export async function importMcp(flags: Flags, names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, io } = terminal;
  const path = await realpath(io.cwd);
  const files = await within(flags, terminal, async (mcp) => {
    const found = await mcp.importFiles({ path });
    for (const name of names) await importOne(mcp, { name, found, flags, path });
    return found;
  });
  if (names.length > 0) {
    reportDone(
      say('mcp.imported', { names: names.map((name) => oneLine(name, 60)).join(', ') }),
      { names },
      { flags, terminal },
    );
    return EXIT.done;
  }
  const rows = files.flatMap((file) => file.candidates.map((candidate) => ({ ...candidate, path: file.path })));
  const cells = ({ id, definition, problem, path: from }: (typeof rows)[number]): Cell[] => [
    { text: oneLine(id, 60), paint: terminal.style.accent },
    { text: definition ? oneLine(commandOf(definition), 60) : oneLine(problem) },
    { text: oneLine(from), paint: terminal.style.muted },
  ];
  show({ name: 'found', rows, empty: say('mcp.nothing-to-import'), cells }, flags, terminal);
  return EXIT.done;
}

interface ImportOne {
  name: string;
  found: Awaited<ReturnType<Services['mcp']['importFiles']>>;
  flags: Flags;
  path: string;
}

/** The first file that has it wins: those of the project come first. */
async function importOne(mcp: Services['mcp'], { name, found, flags, path }: ImportOne): Promise<void> {
  const file = found.find(({ candidates }) => candidates.some(({ id, problem }) => id === name && problem === null));
  const candidate = file?.candidates.find(({ id }) => id === name);
  if (!file || !candidate) throw new AppError('NOT_FOUND', { reason: 'mcp-server' });
  const scope = flags.everywhere ? 'everywhere' : 'project';
  await mcp.runImport({ scope, path, sourceId: file.id, chosen: [candidate] });
}

interface TargetAction<Done> {
  id: string;
  act(mcp: Services['mcp'], target: McpTarget): Promise<Done>;
}

/** Acts on the server with this name that is used here; with --everywhere on that of all projects. */
export async function withTarget<Done>(flags: Flags, terminal: Terminal, { id, act }: TargetAction<Done>) {
  const path = await realpath(terminal.io.cwd);
  return within(flags, terminal, async (mcp) => {
    const named = (await mcp.list({ path })).rows.filter((row) => row.id === id);
    const row = flags.everywhere
      ? named.find(({ scope }) => scope === 'everywhere')
      : (named.find(({ isReplaced }) => !isReplaced) ?? named[0]);
    if (!row) throw new AppError('NOT_FOUND', { reason: 'mcp-server' });
    return { row, done: await act(mcp, { id, scope: row.scope, path }) };
  });
}

function within<Result>(
  flags: Flags,
  { io }: Terminal,
  act: (mcp: Services['mcp']) => Promise<Result>,
): Promise<Result> {
  return withHost(io, flags, ({ services }) => act(services.mcp));
}

/** What the user answers about calls; the command line accepts no other value. */
const callsOf = ({ calls }: Flags): McpCallAnswer | undefined => MCP_CALL_ANSWERS.find((answer) => answer === calls);

const listOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);

/** Undefined for one without a separator. */
function pairs(given: unknown, separator: string): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const text of listOf(given)) {
    const at = text.indexOf(separator);
    if (at <= 0) return undefined;
    found[text.slice(0, at).trim()] = separator === ':' ? text.slice(at + 1).trim() : text.slice(at + 1);
  }
  return found;
}

/** On a terminal each is asked for; from another input there is one on each line. Undefined when one is missing. */
async function readSecrets(names: string[], { io, say }: Terminal): Promise<Record<string, string> | undefined> {
  const found: Record<string, string> = {};
  const lines = io.stdin.isTTY === true ? undefined : (await readSecret(io, '')).split(/\r?\n/);
  for (const [at, name] of names.entries()) {
    const value = lines ? lines[at] : await readSecret(io, say('mcp.secret-prompt', { name }));
    if (!value) return undefined;
    found[name] = value;
  }
  return found;
}

const commandOf = ({ url, command, args }: ServerRow['definition']): string =>
  url ?? [command, ...args].filter(Boolean).join(' ');

/** The first four fields are older than servers of the user. */
function factsOf({ tools: _tools, definition, allowlist, state, ...row }: ServerRow) {
  return {
    ...row,
    command: definition.url ?? definition.command ?? '',
    args: definition.args,
    allowlist: allowlist ?? [],
    isTrusted: state !== 'untrusted',
    state,
    definition,
  };
}

function stateWords({ state, failure, scope }: ServerRow, { say }: Terminal): string {
  if (state === 'failed') return [say('mcp.failed'), failure?.reason, failure?.detail].filter(Boolean).join(': ');
  if (state === 'untrusted') return say('extensions.not-trusted');
  if (state === 'off') return say('automation.off');
  return say(scope === 'file' ? 'extensions.trusted' : 'mcp.ready');
}

function cellsOf(row: ServerRow, terminal: Terminal): Cell[] {
  const { style, say } = terminal;
  const isGood = !['failed', 'untrusted', 'off'].includes(row.state);
  const scope = row.scope === 'everywhere' ? say('sandbox.everywhere') : row.scope === 'project' ? say('mcp.own') : '';
  return [
    { text: oneLine(row.id, 60), paint: style.accent },
    { text: oneLine(stateWords(row, terminal), 60), paint: isGood ? style.success : style.danger },
    { text: oneLine(commandOf(row.definition), 60), paint: style.bold },
    ...(scope ? [{ text: scope, paint: style.muted }] : []),
    ...(row.calls ? [{ text: say(`mcp.calls-${row.calls.answer}`), paint: style.muted }] : []),
  ];
}
