import { spawn } from 'node:child_process';

/**
 * A process between us and the user's engine, which does not notice our end: when our process ends, the input of this
 * one closes, and it stops the engine. Otherwise the engine would hold its memory forever.
 */
const [program = '', ...args] = process.argv.slice(2);
const engine = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
engine.once('error', () => process.exit(1));
engine.once('exit', (code) => process.exit(code ?? 1));
process.stdin.resume().once('close', () => engine.kill('SIGKILL'));
