/**
 * The tools whose consecutive calls run in parallel: those that only read, and sub-agents. Calls of other tools, as those
 * of MCP servers, run one at a time. A test of the server compares this list with the tools themselves.
 */
export const PARALLEL_TOOLS: ReadonlySet<string> = new Set([
  'automation_list',
  'automation_runs',
  'browser_look',
  'browser_open',
  'cerca',
  'cerca_conversazioni',
  'code_navigate',
  'delega_sottotask',
  'elenca',
  'find_tools',
  'use_tool',
  'leggi',
  'library_file_origin',
  'library_list',
  'library_read',
  'library_search',
  'memory_search',
  'naviga',
  'notes_list',
  'repo_map',
  'research_list',
  'research_read',
  'skill_read',
  'tasks_list',
  'time_now',
  'web_search',
  'workflow_output',
  'workflow_status',
]);

/** Lower than the limit of calls in an answer, because each read may hold a whole file or a search. */
const MAX_SIDE_BY_SIDE = 8;

/** How many of the next calls run in parallel: consecutive calls of parallel tools, or one of any other. */
export function groupSize(areParallel: readonly boolean[]): number {
  const stop = areParallel.indexOf(false);
  if (stop === 0) return 1;
  return Math.min(stop === -1 ? areParallel.length : stop, MAX_SIDE_BY_SIDE);
}

/** The calls of one answer of the model in the groups in which they run, one group after the other. */
export function callGroups<Call extends { name: string }>(calls: readonly Call[]): Call[][] {
  const areParallel = calls.map(({ name }) => PARALLEL_TOOLS.has(name));
  const groups: Call[][] = [];
  for (let start = 0; start < calls.length; ) {
    const end = start + groupSize(areParallel.slice(start));
    groups.push(calls.slice(start, end));
    start = end;
  }
  return groups;
}
