import { setFlagsFromString } from 'node:v8';

/** The V8 versions whose flag and default are known: Node 20 to 24. */
const TIERING_BUDGETS: Readonly<Record<string, number>> = {
  11: 1_800_000,
  12: 1_800_000,
  13: 1_800_000,
};
const LARGE_BUDGET = 2_000_000_000;

/**
 * V8 optimizes WebAssembly functions that run often, in the background. The parsers of HTTP answers and of bash are one
 * very large function each: V8 does it after their first input, which takes a processor 0.15 s and more than a second and
 * 30 MB of memory, and blocks the end of the process. What is compiled until the returned function is called is optimized
 * only after it has run much longer. Call it soon: V8 refuses stored code that was compiled with other flags.
 */
export function delayWasmOptimizing(): () => void {
  const usual = TIERING_BUDGETS[process.versions.v8.split('.')[0] ?? ''];
  if (usual === undefined) return () => undefined;
  const set = (budget: number): void => setFlagsFromString(`--wasm-tiering-budget=${budget}`);
  set(LARGE_BUDGET);
  return () => set(usual);
}
