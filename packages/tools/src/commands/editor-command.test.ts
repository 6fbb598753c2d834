import type { EditorCommand, EditorTerminal, EditorTerminals } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contextOf, run, toolNamed, workspaceToolsOn } from '../../test/run-tool.ts';

let project: TempDir;
let data: TempDir;
beforeAll(async () => {
  [project, data] = await Promise.all([tempDir(), tempDir()]);
});
afterAll(() => Promise.all([project, data].map((folder) => folder[Symbol.asyncDispose]())));

type Exit = Awaited<ReturnType<EditorTerminal['exit']>>;

/** A terminal whose command is simulated by the test. */
interface Scripted extends EditorTerminals {
  asked: EditorCommand[];
  calls: string[];
  text: string;
  isCut: boolean;
  end(exit: Exit): void;
  lose(): void;
}

function scripted(): Scripted {
  let end = (_exit: Exit): void => undefined;
  let lose = (): void => undefined;
  const exit = new Promise<Exit>((resolve, reject) => {
    end = resolve;
    lose = () => reject(new Error('the editor is gone'));
  });
  const own: Scripted = {
    asked: [],
    calls: [],
    text: '',
    isCut: false,
    end,
    lose,
    async create(command) {
      own.asked.push(command);
      return {
        exit: () => exit,
        output: async () => ({ text: own.text, isCut: own.isCut }),
        async kill() {
          own.calls.push('kill');
          end({ exitCode: null, signal: 'SIGTERM' });
        },
        release: async () => void own.calls.push('release'),
      };
    },
  };
  return own;
}

const free = (terminals: EditorTerminals, extra = {}) =>
  contextOf(project.path, { writes: 'anything', isWholeDisk: true, terminals, ...extra });

describe('a command in a terminal of the editor', () => {
  test('gives its output as it comes, its exit code and its folder', async () => {
    const terminals = scripted();
    const context = free(terminals);
    const running = run('shell', { comando: 'make' }, context);
    terminals.text = 'first\n';
    await until(() => context.live.join('') === 'first\n');
    terminals.text = 'first\nsecond\n';
    terminals.end({ exitCode: 2, signal: null });
    const { content, isError, command } = await running;
    expect(content).toMatch(/^Exit code 2 .*\nfirst\nsecond$/);
    expect(isError).toBe(true);
    expect(context.live.join('')).toBe('first\nsecond\n');
    expect(command).toMatchObject({ exitCode: 2, cwd: project.path, stdout: 'first\nsecond\n', enforcement: 'none' });
    expect(terminals.calls).toEqual(['release']);
    expect(terminals.asked).toMatchObject([{ sessionId: 's', toolCallId: 't', cwd: project.path }]);
    expect(terminals.asked[0]?.argv.at(-1)).toBe('make');
  });

  test('is killed and released after the timeout', async () => {
    const terminals = scripted();
    const { content, command } = await run('shell', { comando: 'sleep 60', secondi: 1 }, free(terminals));
    expect(content).toContain('Stopped: it did not end within 1 s');
    expect(command?.exitCode).toBeNull();
    expect(terminals.calls).toEqual(['kill', 'release']);
  });

  test('runs on in the background after the timeout until it is stopped', async () => {
    const terminals = scripted();
    let letGo: { ended: Promise<number | null>; stop(): void } | undefined;
    const background = {
      asked: new AbortController().signal,
      letGo: (command: typeof letGo) => void (letGo = command),
    };
    const context = free(terminals, { background, sessionId: 'leaves' });
    const { content } = await run('shell', { comando: 'sleep 60', secondi: 1 }, context);
    expect(content).toContain('runs on in the background');
    expect(terminals.calls).toEqual([]);
    letGo?.stop();
    expect(await letGo?.ended).toBeNull();
    expect(terminals.calls).toEqual(['kill', 'release']);
  });

  test('counts as stopped when the editor goes away', async () => {
    const terminals = scripted();
    terminals.text = 'half';
    const running = run('shell', { comando: 'make' }, free(terminals));
    terminals.lose();
    const { content, isError } = await running;
    expect(content).toMatch(/^Stopped after .*\nhalf$/);
    expect(isError).toBe(true);
  });

  test('starts nothing under a stopped turn', async () => {
    const terminals = scripted();
    const signal = AbortSignal.abort();
    expect(await run('shell', { comando: 'make' }, free(terminals, { signal }))).toMatchObject({ isError: true });
    expect(terminals.asked).toEqual([]);
  });

  test('keeps the beginning and the end of a flood', async () => {
    const terminals = scripted();
    const context = free(terminals);
    const running = run('shell', { comando: 'make' }, context);
    terminals.text = `begin\n${'x'.repeat(1_000_000)}`;
    await until(() => context.live.length > 0);
    terminals.text = `${terminals.text.slice(-500_000)}${'y'.repeat(600_000)}\nend\n`;
    terminals.isCut = true;
    terminals.end({ exitCode: 0, signal: null });
    const { content, command } = await running;
    expect(content.length).toBeLessThanOrEqual(16_000);
    expect(content).toMatch(/begin\n[^]*\[Cut\. Read or search/);
    expect(command?.stdout).toMatch(/^begin\n[^]*y\nend\n$/);
  });

  test('runs here when the editor opens no terminal', async () => {
    const { content } = await run('shell', { comando: 'echo here' }, free({ create: async () => undefined }));
    expect(content).toContain('here');
  });

  test('is not run twice when the editor does not answer', async () => {
    const ambient = fakeAmbient();
    let isAsked = false;
    const create: EditorTerminals['create'] = () => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    const shell = toolNamed('shell', workspaceToolsOn(data.path, ambient).tools);
    const running = shell.run(shell.input.parse({ comando: 'echo here' }), free({ create }));
    await until(() => isAsked);
    await ambient.advance(10_000);
    expect((await running).content).toContain('could not be started (the editor did not open a terminal).');
  });

  test('runs here when a sandbox must limit it', async () => {
    const terminals = scripted();
    const { content } = await run('shell', { comando: 'echo here' }, free(terminals, { writes: 'folder' }));
    expect(content).toContain('here');
    expect(terminals.asked).toEqual([]);
  });
});

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}
