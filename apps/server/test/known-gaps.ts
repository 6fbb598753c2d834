/**
 * Declared errors without a test, each with its reason. The interface declares them for the operation, but this release
 * lacks the feature behind them, so they cannot occur.
 */
export const KNOWN_GAPS: Readonly<Record<string, string>> = {
  'doctor.report REPORT_UNAVAILABLE':
    'the server always has checks to run; the diagnostics package tests a report without any',
  'sessions.create-custom SESSION_STORE_FS_UNSUPPORTED':
    'needs a file system that refuses WAL; the test of the opener in shared provokes that refusal',
  'sessions.create-from-task SESSION_STORE_FS_UNSUPPORTED':
    'needs a file system that refuses WAL; the test of the opener in shared provokes that refusal',
  'ext.ag-ui.run SESSION_STORE_FS_UNSUPPORTED':
    'needs a file system that refuses WAL; the test of the opener in shared provokes that refusal',
  'tools.list REPORT_UNAVAILABLE':
    'the list always answers: tools that cannot be loaded are null with a reason, which the host package tests',
  'research.read RESEARCH_CONFLICT': 'a research can be read in every state',
  'research.read RESEARCH_RECHECK_UNAVAILABLE': 'only a recheck looks at the sources again',
  'research.pause RESEARCH_RECHECK_UNAVAILABLE': 'only a recheck looks at the sources again',
  'research.resume RESEARCH_RECHECK_UNAVAILABLE': 'only a recheck looks at the sources again',
  'research.delete RESEARCH_RECHECK_UNAVAILABLE': 'only a recheck looks at the sources again',
  'session-kept.batch RESEARCH_CONFLICT': 'each id answers for itself, with the code in its outcome',
  'session-kept.batch RESEARCH_INVALID': 'each id answers for itself, with the code in its outcome',
  'session-kept.batch RESEARCH_NOT_FOUND': 'each id answers for itself, with the code in its outcome',
  'sessions.delete SESSION_NOT_READY': 'a deletion is one transaction: there is no failed one to restore',
  'sessions.undo-compaction SESSION_STORE_AMBIGUOUS':
    'a damaged store stops the server from starting; an open one is never ambiguous',
  'tree.create WORKSPACE_ALREADY_EXISTS':
    'a name that is taken inside a session answers FILE_EXISTS, for folders too (decided in docs/decisions)',
  'git.commit-message SESSION_MODEL_UNKNOWN':
    'sessions refuse a model that is none, so only a store written by another version could hold one',
  'github.install HOST_TIMEOUT': 'comes after five minutes; the test of installing in packages/git moves that time',
  'github.login-cancel HOST_STORE_UNAVAILABLE': 'stopping what runs, or nothing, needs nothing that could be missing',
  'hub.image HUB_IMAGE_CONFIG_INVALID':
    'the list of sites is fixed in code; the test of the hub in packages/local-models gives it a wrong one',
};
