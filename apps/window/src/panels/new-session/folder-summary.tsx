import { useQuery } from '@tanstack/react-query';
import { FileText, GitBranch, ScrollText, TriangleAlert } from 'lucide-react';
import { Answer } from '../../parts/states.tsx';
import { portraitQuery, treeQuery } from '../../wire/folders.ts';
import type { FolderPortrait } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import type { FolderChoice } from './choices.ts';

function Facts({ portrait }: { portrait: FolderPortrait }) {
  const { say, number } = useWords();
  if (!portrait.isReadable) {
    return (
      <p className="portrait-warning">
        <TriangleAlert size={14} className="warning" aria-hidden /> {say('portrait.unreadable')}
      </p>
    );
  }
  const { git, instructions = [] } = portrait;
  const files = portrait.isOverLimit ? `${number(portrait.limit ?? 0)}+` : number(portrait.file ?? 0);
  return (
    <>
      {portrait.isRoot && (
        <p className="portrait-warning">
          <TriangleAlert size={14} className="warning" aria-hidden /> {say('portrait.wide')}
        </p>
      )}
      <ul className="portrait">
        <li>
          <FileText size={14} aria-hidden /> {say('portrait.files', { count: portrait.file ?? 0, shown: files })}
        </li>
        <li>
          <GitBranch size={14} aria-hidden />
          {git ? (git.branch ?? say('portrait.detached')) : say('portrait.noGit')}
          {git && git.uncommitted > 0 && (
            <span className="warning"> · {say('portrait.unsaved', { count: git.uncommitted })}</span>
          )}
        </li>
        <li>
          <ScrollText size={14} aria-hidden />
          {instructions.length > 0 ? instructions.join(', ') : say('portrait.noInstructions')}
        </li>
      </ul>
    </>
  );
}

function Preview({ projectId }: { projectId: string }) {
  const query = useQuery(treeQuery('projects', projectId, ''));
  return (
    <Answer query={query} lines={1}>
      {(entries) => (
        <p className="preview muted small">
          {entries
            .slice(0, 10)
            .map((entry) => (entry.isFolder ? `${entry.name}/` : entry.name))
            .join('  ')}
          {entries.length > 10 && ' …'}
        </p>
      )}
    </Answer>
  );
}

function Portrayed({ path }: { path: string }) {
  const query = useQuery(portraitQuery(path));
  return (
    <Answer query={query} lines={1}>
      {(portrait) => <Facts portrait={portrait} />}
    </Answer>
  );
}

/** Summary of a folder before a session starts in it. */
export function FolderSummary({ folder }: { folder: FolderChoice }) {
  if (folder.path) return <Portrayed path={folder.path} />;
  return 'projectId' in folder ? <Preview projectId={folder.projectId} /> : null;
}
