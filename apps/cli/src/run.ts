import { EXIT } from './exit-codes.ts';
import { type Io, isByLines, isInteractive } from './io.ts';
import { asksVersion, writeVersion } from './version-line.ts';

/** The whole program: arguments in, exit code out. Parts are loaded on demand. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [first] = argv;
  if (asksVersion(argv)) {
    writeVersion(io.stdout);
    return EXIT.done;
  }
  if ((first === 'serve' || first === 'open') && !argv.some((word) => word === '--help' || word === '-h')) {
    const { serve } = await import('./commands/serve.ts');
    return serve(argv.slice(1), io, { opensWindow: first === 'open' });
  }
  if (argv.length === 0 && isInteractive(io) && !isByLines(io)) {
    const { startScreen } = await import('./screen/app/start.ts');
    return startScreen({}, { io, runProgram: async (...given) => (await import('./program.ts')).runProgram(...given) });
  }
  const { runProgram } = await import('./program.ts');
  return runProgram(argv, io);
}
