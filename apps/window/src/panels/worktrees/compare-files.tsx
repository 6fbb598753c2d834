import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Choice } from '../../parts/choice.tsx';
import { languageOf } from '../../parts/code.tsx';
import { DiffView } from '../../parts/diff.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { readPatch } from '../../parts/patch.ts';
import { Answer, Failure } from '../../parts/states.tsx';
import { folderName } from '../../shell/use-worktree-actions.tsx';
import { branchPointDiffQuery, type GitBranchPoint } from '../../wire/git.ts';
import { takeWorktreeFiles } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import type { Compared } from './compared.ts';

type File = GitBranchPoint['file'][number];

/** A side that changed the file. */
interface Changed extends Compared {
  file: File;
  from: string;
}

function Patch({ sessionId, file, from }: { sessionId: string; file: File; from: string }) {
  const { say } = useWords();
  const { percorso, prima } = file;
  const query = useQuery(branchPointDiffQuery(sessionId, { da: from, percorso, ...(prima !== null && { prima }) }));
  const text = query.data?.testo;
  const patch = useMemo(() => readPatch(text ?? ''), [text]);
  return (
    <Answer query={query} lines={4}>
      {(diff) =>
        patch.hunks.length > 0 ? (
          <DiffView diff={patch} label={percorso} language={languageOf(percorso)} />
        ) : (
          <p className="muted diff-same">{say(diff.binario ? 'git.binary' : 'git.noLines.why')}</p>
        )
      }
    </Answer>
  );
}

/** Gives the folder the file as it is in the worktree. */
function Take({ side, path }: { side: Changed; path: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const { worktree } = side;
  const take = useMutation({
    mutationFn: (id: string) => takeWorktreeFiles(id, [path]),
    onSuccess: () => client.invalidateQueries({ queryKey: ['git'] }),
  });
  if (!worktree) return null;
  return (
    <div className="compare-take">
      <Button
        size="compact-sm"
        variant="default"
        loading={take.isPending}
        disabled={take.isSuccess}
        onClick={() => take.mutate(worktree.id)}
      >
        {say(take.isSuccess ? 'compare.taken' : 'compare.take', { folder: folderName(worktree.origine) })}
      </Button>
      {take.error && <Failure error={take.error} />}
    </div>
  );
}

function FileSides({ path, sides }: { path: string; sides: readonly Changed[] }) {
  const { say } = useWords();
  const [chosen, choose] = useState(sides[0]?.row.sessionId ?? '');
  const side = sides.find(({ row }) => row.sessionId === chosen) ?? sides[0];
  if (!side) return null;
  const nameOf = (id: string): string => {
    const found = sides.find(({ row }) => row.sessionId === id);
    return found?.worktree?.nome ?? found?.row.nome ?? say('session.untitled');
  };
  return (
    <div className="compare-file">
      {sides.length > 1 && (
        <Choice
          label={say('compare.side')}
          values={sides.map(({ row }) => row.sessionId)}
          value={side.row.sessionId}
          name={nameOf}
          choose={choose}
        />
      )}
      <Patch key={side.row.sessionId} sessionId={side.row.sessionId} file={side.file} from={side.from} />
      <Take key={`take ${side.row.sessionId}`} side={side} path={path} />
    </div>
  );
}

/** Every file that a side changed, with who changed it. */
export function CompareFiles({ sides }: { sides: readonly Compared[] }) {
  const { say } = useWords();
  const byPath = new Map<string, Changed[]>();
  for (const side of sides)
    for (const file of side.changes?.file ?? []) {
      const from = side.changes?.base?.commit;
      if (from !== undefined)
        byPath.set(file.percorso, [...(byPath.get(file.percorso) ?? []), { ...side, file, from }]);
    }
  const paths = [...byPath.keys()].sort();
  if (paths.length === 0) return <p className="muted">{say('compare.noFiles')}</p>;
  return (
    <section className="compare-files" aria-label={say('compare.files')}>
      {paths.map((path) => {
        const changed = byPath.get(path) ?? [];
        return (
          <Fold
            key={path}
            className="change"
            head={
              <>
                <span className="path">
                  <bdi>{path}</bdi>
                </span>
                {changed.map(({ row, file }) => (
                  <DiffCounts key={row.sessionId} added={file.aggiunte ?? 0} removed={file.rimosse ?? 0} />
                ))}
                {sides.length > 1 && (
                  <span className="muted small">{say('compare.by', { count: changed.length, all: sides.length })}</span>
                )}
              </>
            }
          >
            {() => <FileSides path={path} sides={changed} />}
          </Fold>
        );
      })}
    </section>
  );
}
