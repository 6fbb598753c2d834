import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { type Extension, StateEffect, type Text } from '@codemirror/state';
import type { FileProblem } from '../../../wire/language.ts';

const SEVERITIES = { error: 'error', warning: 'warning', information: 'info', suggestion: 'hint' } as const;
/** After the last key. */
const DELAY_MS = 600;

/** Problems of the text, as a language server of the project sees them; the gutter appears with the first answer. */
export function diagnostics(diagnose: (text: string) => Promise<readonly FileProblem[] | null>): Extension {
  let hasGutter = false;
  return linter(
    async (view) => {
      const { doc } = view.state;
      // A failed request leaves the text without marks; the next change asks again.
      const problems = await diagnose(doc.toString()).catch(() => null);
      if (problems === null || view.state.doc !== doc) return [];
      if (!hasGutter) view.dispatch({ effects: StateEffect.appendConfig.of(lintGutter()) });
      hasGutter = true;
      return problems.map((problem) => marked(doc, problem));
    },
    { delay: DELAY_MS },
  );
}

function marked(doc: Text, problem: FileProblem): Diagnostic {
  const from = positionOf(doc, problem.line, problem.column);
  const to = Math.max(from, positionOf(doc, problem.endLine, problem.endColumn));
  const code = problem.code === null ? {} : { source: problem.code };
  return { from, to, severity: SEVERITIES[problem.severity], message: problem.message, ...code };
}

/** Inside the text, even if the server saw another one. */
function positionOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}
