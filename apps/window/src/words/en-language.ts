/** Texts of language servers and diagnostics. */
export const enLanguage = {
  'formatters.title': 'Formatters',
  'formatters.why': 'Format the files that the agent edits. They run in the sandbox; nothing is downloaded.',
  'formatters.none':
    'No formatter found for this project: biome and prettier in node_modules, ruff, gofmt and rustfmt on PATH.',
  'formatters.ofProject': 'Installed in this project. Turning it on trusts it as it is now.',
  'formatters.ofSystem': 'Installed on this computer.',
  'formatters.changed': 'It changed since you trusted it, so it does not run. Turning it on trusts this version.',
  'language.servers': 'Language servers',
  'language.servers.why':
    'They find errors while the agent edits, and show them in the editor. They run in the sandbox, without network, and cannot change the project.',
  'language.servers.none':
    'No language server found for this project. Fucina uses those that are installed; it downloads none.',
  'language.servers.unreadable': 'Your own language servers cannot be read. The known ones still run.',
  'language.state.stopped': 'Starts when needed',
  'language.state.not-trusted': 'Not trusted: disabled',
  'language.state.not-sandboxed': 'Not running: no sandbox on this computer',
  'language.state.starting': 'Starting…',
  'language.state.ready': 'Running',
  'language.state.failed': 'Failed',
  'language.restart': 'Restart',
  'language.start': 'Start',
  'language.start.of': 'Start {{name}}',
  'language.restart.of': 'Restart {{name}}',
  'language.trust.why': 'It runs in the sandbox: it reads the project, cannot change it and has no network.',
  'language.trust.title': 'Trust the language server {{name}} of this project?',
  'problems.new': 'New problems',
  'problems.errors_one': '{{count}} error',
  'problems.errors_other': '{{count}} errors',
  'problems.warnings_one': '{{count}} warning',
  'problems.warnings_other': '{{count}} warnings',
} as const;
