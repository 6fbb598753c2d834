import { createHash } from 'node:crypto';
import { cleanText } from '../clean-text.ts';
import type { Terminal } from '../terminal.ts';
import { type Finding, findingsIn, type Severity } from './findings.ts';
import type { TurnOutput } from './turn-output.ts';
import type { TurnResult } from './turn-result.ts';

export interface CiNeeds {
  terminal: Terminal;
  /** Of the session: files of the answer are looked for there. */
  folder: string;
  /** A text that nobody can guess. */
  newId(): string;
}

const GITHUB_COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * GitHub Actions: the answer, then an annotation for each finding and for how the turn ended. What the model and its
 * tools write is not read as commands of the runner.
 */
export function githubOutput({ terminal, folder, newId }: CiNeeds): TurnOutput {
  const token = newId();
  terminal.out(`::stop-commands::${token}`);
  return {
    push: () => undefined,
    end(result) {
      if (result.text !== '') terminal.out(cleanText(result.text));
      terminal.out(`::${token}::`);
      for (const { path, line, column, severity, message } of findingsIn(result.text, folder)) {
        const place = { file: path, line: `${line}`, ...(column !== undefined && { col: `${column}` }) };
        terminal.out(githubCommand(GITHUB_COMMANDS[severity], place, message));
      }
      const { error, denials } = result;
      if (error) terminal.out(githubCommand('error', { title: `Fucina: ${error.code}` }, error.message));
      if (denials > 0) terminal.out(githubCommand('warning', { title: 'Fucina' }, denied(denials, terminal)));
    },
  };
}

function githubCommand(name: string, properties: Readonly<Record<string, string>>, message: string): string {
  const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const pairs = Object.entries(properties).map(
    ([key, value]) => `${key}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${name} ${pairs.join(',')}::${escaped(cleanText(message))}`;
}

const GITLAB_SEVERITIES: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', note: 'info' };

/** GitLab: a Code Quality report of the findings, for `artifacts:reports:codequality`. */
export function gitlabOutput({ terminal, folder }: CiNeeds): TurnOutput {
  return {
    push: () => undefined,
    end({ text }) {
      const report = findingsIn(text, folder).map((finding) => ({
        description: cleanText(finding.message),
        check_name: 'fucina',
        fingerprint: fingerprintOf(finding),
        severity: GITLAB_SEVERITIES[finding.severity],
        location: { path: finding.path, lines: { begin: finding.line } },
      }));
      terminal.out(JSON.stringify(report, null, 2));
    },
  };
}

function fingerprintOf({ path, line, message }: Finding): string {
  return createHash('sha256').update(`${path}\0${line}\0${message}`).digest('hex');
}

/** JUnit XML: how the turn ended, its approvals, and each finding as a test case. Errors are failures. */
export function junitOutput({ terminal, folder }: CiNeeds): TurnOutput {
  return {
    push: () => undefined,
    end: (result) => terminal.out(junitText(result, findingsIn(result.text, folder), terminal)),
  };
}

interface Case {
  name: string;
  file?: string;
  line?: number;
  failure?: string | undefined;
  output?: string;
}

function junitText(result: TurnResult, findings: readonly Finding[], terminal: Terminal): string {
  const { error, denials, text, durationMs } = result;
  const cases: Case[] = [
    { name: 'turn', failure: error && `${error.code}: ${error.message}`, output: text },
    { name: 'approvals', failure: denials > 0 ? denied(denials, terminal) : undefined },
    ...findings.map(({ path, line, severity, message }) => ({
      name: `${path}:${line}`,
      file: path,
      line,
      ...(severity === 'error' ? { failure: message } : { output: `${severity}: ${message}` }),
    })),
  ];
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const seconds = (durationMs / 1_000).toFixed(3);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${seconds}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fucina" ${counts}>
<testsuite name="fucina" ${counts}>
${cases.map(junitCase).join('\n')}
</testsuite>
</testsuites>`;
}

function junitCase({ name, file, line, failure, output }: Case): string {
  const place = file === undefined ? '' : ` file="${xml(file)}" line="${line}"`;
  const inside = [
    ...(failure === undefined ? [] : [`<failure message="${xml(failure)}"/>`]),
    ...(output ? [`<system-out>${xml(output)}</system-out>`] : []),
  ].join('');
  return `<testcase classname="fucina" name="${xml(name)}"${place}>${inside}</testcase>`;
}

function xml(text: string): string {
  return cleanText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function denied(count: number, { say }: Terminal): string {
  return say('turn.denials', { count });
}
