import { ApiError } from '@fucina/client';
import { cleanText } from '@fucina/conversation/clean-text';
import { Minus, Plus, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { api } from '../../wire/client.ts';
import { useWords, type Words } from '../../words/words.ts';
import { type ChangeGroup, canDiscard, type GroupedFile, pathsOf, splitPaths } from './groups.ts';
import type { GitPanelState } from './use-git-panel.ts';

/** Files per group shown at first. */
const FIRST_FILES = 200;

type ChangeActions = ReturnType<typeof changeActions>;

export function changeActions({ run, ask, path }: GitPanelState, { say }: Words) {
  const each = async (act: 'stage' | 'unstage' | 'discard', files: readonly GroupedFile[]) => {
    for (const paths of splitPaths(pathsOf(files)))
      await api.post(`/sessions/{sessionId}/git/${act}`, { path, body: { paths } });
    return undefined;
  };
  return {
    move: (files: readonly GroupedFile[]) =>
      void run(async () => {
        try {
          return await each(files[0]?.group === 'staged' ? 'unstage' : 'stage', files);
        } catch (error) {
          if (!(error instanceof ApiError) || error.body?.reason !== 'conflict-markers') throw error;
          ask({
            title: say('git.markers'),
            text: error.body.explanation,
            act: say('git.markers.act'),
            run: async () => {
              for (const paths of splitPaths(pathsOf(files)))
                await api.post('/ext/sessions/{sessionId}/git/stage-with-markers', { path, body: { paths } });
              return undefined;
            },
          });
          return undefined;
        }
      }),
    discard(all: readonly GroupedFile[]) {
      const files = all.filter(canDiscard);
      const [first] = files;
      if (!first) return;
      const fresh = files.filter(({ group }) => group === 'fresh').length;
      const name = first.entry.path;
      ask({
        title:
          files.length === 1 ? say('git.discard.ask', { name }) : say('git.discard.askMany', { count: files.length }),
        text: [
          files.length > fresh ? say('git.discard.why') : '',
          fresh > 0 ? say('git.discard.fresh', { count: fresh }) : '',
        ].join(' '),
        act: say('git.discard'),
        run: () => each('discard', files),
      });
    },
  };
}

interface RowNeeds {
  shown: GroupedFile | undefined;
  panel: GitPanelState;
  acts: ChangeActions;
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const files = [...event.currentTarget.querySelectorAll<HTMLElement>('.git-file-open')];
  const at = files.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const next = { ArrowDown: files[at + 1], ArrowUp: files[at - 1], Home: files[0], End: files.at(-1) }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function FileRow({ file, shown, panel, acts }: RowNeeds & { file: GroupedFile }) {
  const { say } = useWords();
  const { entry, group, area, letter } = file;
  const isShown = shown?.entry.path === entry.path && shown.area === area;
  const slash = entry.path.lastIndexOf('/');
  const moveWord = say(group === 'staged' ? 'git.unstage' : group === 'conflicts' ? 'git.settle' : 'git.stage');
  const kind = say(`git.letter.${letter === '?' ? 'new' : letter}` as 'git.letter.M');
  const press = (event: KeyboardEvent) => {
    if (event.key === ' ') acts.move([file]);
    else if (event.key === 'Delete') acts.discard([file]);
    else return;
    event.preventDefault();
  };
  return (
    <li className="git-file" data-shown={isShown || undefined}>
      <button
        type="button"
        className="git-file-open"
        aria-current={isShown || undefined}
        title={entry.from ? `${entry.from} → ${entry.path}` : entry.path}
        onClick={() => panel.go({ file: entry.path, area })}
        onKeyDown={press}
      >
        <span className="git-letter" data-letter={letter} title={kind}>
          <span aria-hidden>{letter}</span>
          <span className="unseen">{kind}</span>
        </span>
        <span className="git-file-name">{cleanText(entry.path.slice(slash + 1))}</span>
        {slash > 0 && (
          <span className="path muted">
            <CleanText text={entry.path.slice(0, slash)} />
          </span>
        )}
      </button>
      {canDiscard(file) && (
        <button
          type="button"
          className="icon-button git-hidden"
          aria-label={`${say('git.discard')}: ${entry.path}`}
          title={say('git.discard')}
          onClick={() => acts.discard([file])}
        >
          <Undo2 size={14} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={`${moveWord}: ${entry.path}`}
        title={moveWord}
        onClick={() => acts.move([file])}
      >
        {group === 'staged' ? <Minus size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
      </button>
    </li>
  );
}

function GroupPart({ group, ...row }: RowNeeds & { group: ChangeGroup }) {
  const { acts } = row;
  const { say, number } = useWords();
  const [most, setMost] = useState(FIRST_FILES);
  const left = group.files.length - most;
  const title = say(`git.group.${group.name}`);
  return (
    <section className="git-group" aria-label={title}>
      <header className="git-group-head">
        <h2>{title}</h2>
        <span className="count tabular">{number(group.files.length)}</span>
        {group.files.some(canDiscard) && (
          <button type="button" className="chip" onClick={() => acts.discard(group.files)}>
            {say('git.discardAll')}
          </button>
        )}
        {group.name !== 'conflicts' && (
          <button type="button" className="chip" onClick={() => acts.move(group.files)}>
            {say(group.name === 'staged' ? 'git.unstageAll' : 'git.stageAll')}
          </button>
        )}
      </header>
      <ul>
        {group.files.slice(0, most).map((file) => (
          <FileRow key={file.entry.path} file={file} {...row} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" className="chip" onClick={() => setMost(most + 1_000)}>
          {say('git.more', { count: left })}
        </button>
      )}
    </section>
  );
}

/** The changed files in groups. Arrow keys move, Space stages, Enter shows the diff, Delete discards. */
export function ChangeList({
  groups,
  shown,
  panel,
}: Omit<RowNeeds, 'acts'> & {
  groups: readonly ChangeGroup[];
}) {
  const words = useWords();
  const acts = changeActions(panel, words);
  return (
    <div className="git-groups" onKeyDown={walk}>
      {groups.map((group) => (
        <GroupPart key={group.name} group={group} shown={shown} panel={panel} acts={acts} />
      ))}
    </div>
  );
}
