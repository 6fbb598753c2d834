import { editProblems, type ToolItem } from '@fucina/conversation';
import { PanelBottomClose, Square } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { useProcessAction } from '../wire/process-actions.ts';
import { useWords } from '../words/words.ts';
import { ArgumentList } from './argument-list.tsx';
import { CleanText } from './clean-text.tsx';
import { CodeLines, languageOf } from './code.tsx';
import { DiffView } from './diff.tsx';
import { FileLink } from './file-link.tsx';
import { diffTexts, type FileDiff } from './line-diff.ts';
import { Markdown } from './markdown.tsx';
import { Enforcement, Output } from './output.tsx';
import { Failure } from './states.tsx';
import { toolLabels } from './tool-words.ts';
import { WholeOutput } from './whole-output.tsx';

interface Change {
  path: string;
  isTooLarge: boolean;
  diff: FileDiff;
}

interface DetailsProps {
  item: ToolItem;
  args: Record<string, unknown>;
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);

function Changes({ diffs }: { diffs: readonly Change[] }) {
  const { say } = useWords();
  return diffs.map(({ path, diff, isTooLarge }) => (
    <Fragment key={path}>
      <Where path={path} line={firstChanged(diff)} />
      {isTooLarge ? (
        <p className="muted">{say('diff.unknown', { path })}</p>
      ) : (
        <DiffView diff={diff} label={path} language={languageOf(path)} />
      )}
    </Fragment>
  ));
}

const firstChanged = ({ hunks }: FileDiff): number | undefined =>
  hunks[0]?.lines.find(({ kind }) => kind === 'added')?.new ?? undefined;

/** A link to the file. */
function Where({ path, line }: { path: string; line: number | undefined }) {
  return (
    <p className="path tool-where">
      <FileLink text={path} line={line}>
        <CleanText text={path} />
      </FileLink>
    </p>
  );
}

/** The result of a call, in a format for its tool. */
function Answer({ item, args, hasDiffs }: { item: ToolItem; args: Record<string, unknown>; hasDiffs: boolean }) {
  const { say } = useWords();
  const { outcome, name } = item;
  if (!outcome) return item.isOver ? <p className="muted">{say('tool.cut.why')}</p> : null;
  if (name === 'delega_sottotask') return <Report text={outcome.content} />;
  if (name === 'leggi' && !outcome.isFailed) {
    return (
      <pre className="output-code" tabIndex={0}>
        <CodeLines code={outcome.content} language={languageOf(String(args.path))} />
      </pre>
    );
  }
  // Further output is shown below, from its beginning.
  if (item.background) return null;
  const isPrinted = outcome.stdout !== undefined || outcome.stderr !== undefined;
  const problems = hasDiffs ? editProblems(outcome.content) : [];
  return (
    <>
      {problems.length > 0 && <Output text={problems.join('\n')} label={say('problems.new')} />}
      {outcome.stdout && <Output text={outcome.stdout} label={say('tool.output')} />}
      {outcome.stderr && <Output text={outcome.stderr} label={say('tool.errors')} />}
      {!isPrinted && !hasDiffs && <Output text={outcome.content} label={say('tool.answer')} />}
    </>
  );
}

/** The report of a sub-agent, with a link to its page. */
function Report({ text }: { text: string }) {
  const { say } = useWords();
  const report = reportIn(text);
  if (!report) return <Output text={text} label={say('tool.answer')} />;
  return (
    <div className="report">
      <Markdown text={report.textUntrusted ?? ''} />
      {report.childId && (
        <p className="report-links">
          <Link to={`/sessions/${report.childId}`}>{say('agents.open')}</Link>
          {report.worktree && <Link to={`/compare?sessions=${report.childId}`}>{say('agents.review')}</Link>}
        </p>
      )}
    </div>
  );
}

interface AgentReport {
  childId?: string;
  textUntrusted?: string;
  /** Its changes are there, and not in the folder. */
  worktree?: { branch: string | null };
}

function reportIn(text: string): AgentReport | undefined {
  try {
    return JSON.parse(text.slice(text.indexOf('\n{') + 1)) as AgentReport;
  } catch {
    // A refusal, or the rest after an interruption: plain text.
    return undefined;
  }
}

/** All details of one call. */
export function ToolDetails({ item, args }: DetailsProps) {
  const diffs = useMemo(
    () =>
      item.changes.map(({ path, before, after, isTooLarge }) => ({ path, isTooLarge, diff: diffTexts(before, after) })),
    [item.changes],
  );
  const { say } = useWords();
  const { outcome } = item;
  const { isCommand } = toolLabels(item.name);
  const command = outcome?.command ?? textIn(args.command);
  const task = item.name === 'delega_sottotask' ? textIn(args.task) : undefined;
  const isReading = item.name === 'leggi' && typeof args.path === 'string';
  const isPlain = command === undefined && task === undefined && diffs.length === 0 && !isReading;
  return (
    <div className="tool-body">
      {command !== undefined && <Output isCommand text={command} label={outcome?.cwd ?? say('tool.command')} />}
      {task !== undefined && <Output text={task} label={say('tool.task')} />}
      {isPlain && item.args.length > 2 && <ArgumentList args={args} />}
      <Changes diffs={diffs} />
      {isReading && <Where path={String(args.path)} line={Number(args.from) || undefined} />}
      <Answer item={item} args={args} hasDiffs={diffs.length > 0} />
      {!item.isOver && item.output && <Output text={item.output} label={say('tool.output')} isEnd />}
      {outcome?.enforcement && <Enforcement value={outcome.enforcement} />}
      {isCommand && outcome && <WholeOutput id={item.key} isRunning={item.background?.isRunning === true} />}
    </div>
  );
}

/** Actions for a running command: stop it, or move it to the background. */
export function ToolActions({ item }: { item: ToolItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const stop = useProcessAction(sessionId, item.key, 'stop');
  const leave = useProcessAction(sessionId, item.key, 'background');
  const error = stop.error ?? leave.error;
  return (
    <>
      {!item.background && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('tool.toBackground')}
          title={say('tool.toBackground')}
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          <PanelBottomClose size={14} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={say('tool.stop')}
        title={say('tool.stop')}
        disabled={stop.isPending}
        onClick={() => stop.mutate()}
      >
        <Square size={12} aria-hidden />
      </button>
      {error && <Failure error={error} />}
    </>
  );
}
