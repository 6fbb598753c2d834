import type { Terminal } from '../../terminal.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1_000 ** step).toFixed(step > 2 ? 1 : 0)} ${UNITS[step]}`;
}

const CLEAR_LINE = '\r\x1b[2K';
const CELLS = 20;

/** Progress of a long operation, on a terminal only. */
export function progressBar({ io, errorStyle }: Terminal): { show(done: number, total: number): void; end(): void } {
  let shown = '';
  return {
    show(done, total) {
      const percent = Math.min(100, Math.floor((done / Math.max(1, total)) * 100));
      const bar = '█'.repeat(Math.floor((percent * CELLS) / 100)).padEnd(CELLS, '░');
      const words = `${errorStyle.accent(bar)} ${percent}% ${sizeOf(done)}`;
      if (!io.stderr.isTTY || words === shown) return;
      io.stderr.write(CLEAR_LINE + words);
      shown = words;
    },
    end() {
      if (shown) io.stderr.write(CLEAR_LINE);
    },
  };
}
