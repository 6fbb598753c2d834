import { spawn } from 'node:child_process';

/**
 * Stands between us and an engine of the user, which does not notice when we are gone: our end closes the input of this
 * process, and it takes the engine along. An engine without anybody would hold its memory for ever.
 */
const [program = '', ...args] = process.argv.slice(2);
const engine = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
engine.once('error', () => process.exit(1));
engine.once('exit', (code) => process.exit(code ?? 1));
process.stdin.resume().once('close', () => engine.kill('SIGKILL'));
