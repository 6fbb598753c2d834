import { Button } from '@mantine/core';
import { Download, LoaderCircle, Pause, Play, RefreshCw, RotateCw, Square, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { EXPORTS, type Research, TONES } from '../../wire/research.ts';
import { useWords, type Words } from '../../words/words.ts';
import type { ResearchActions } from './use-research-actions.ts';

const SIZE = { size: 14, 'aria-hidden': true } as const;
/** Created only from the checked record. */
const OF_RECORD: ReadonlySet<string> = new Set(['json', 'bib', 'ris', 'sources']);

function exportsOf({ balance }: Research, { carry }: ResearchActions, { say }: Words): MenuEntry[] {
  return EXPORTS.flatMap((format): MenuEntry[] => {
    const isDisabled = OF_RECORD.has(format) && balance === null;
    if (format !== 'pdf') {
      const act = () => carry({ format });
      return [{ id: format, icon: <Download {...SIZE} />, name: say(`research.export.${format}`), isDisabled, act }];
    }
    return TONES.map((tone) => ({
      id: `pdf ${tone}`,
      icon: <Download {...SIZE} />,
      name: say(`research.export.pdf.${tone}`),
      act: () => carry({ format, tone }),
    }));
  });
}

/** Its conversation was interrupted, but the run has not ended: it can be resumed. */
export const isInterrupted = ({ state, concludedAt }: Research): boolean => state === 'failed' && concludedAt === null;

interface BarProps {
  research: Research;
  acts: ResearchActions;
}

/** The actions for a report in its current state. */
export function ResearchBar({ research, acts }: BarProps) {
  const words = useWords();
  const { say } = words;
  const { state, log, report, rejectedContent } = research;
  const isPausing = log?.state === 'pause_requested';
  const canResume = state === 'paused' || isInterrupted(research);
  const button = (act: Parameters<ResearchActions['run']>[0], Icon: typeof Pause) => (
    <Button
      variant="default"
      leftSection={<Icon {...SIZE} />}
      loading={acts.pending === act}
      disabled={acts.pending !== undefined || (act === 'pause' && isPausing)}
      onClick={() => acts.run(act)}
    >
      {say(`research.act.${act}`)}
    </Button>
  );
  return (
    <div className="research-acts">
      {state === 'running' && button('pause', Pause)}
      {state === 'running' && button('stop', Square)}
      {canResume && button('resume', Play)}
      {state === 'done' && button('recheck', RefreshCw)}
      {state !== 'running' && state !== 'done' && !canResume && research.query !== null && (
        <Button
          component={Link}
          to={`?ask=${encodeURIComponent(research.query)}`}
          leftSection={<RotateCw {...SIZE} />}
          variant="default"
        >
          {say('research.act.again')}
        </Button>
      )}
      {(report !== null || rejectedContent !== null) && (
        <Menu
          label={say('research.export')}
          className="research-export"
          icon={acts.isCarrying ? <LoaderCircle {...SIZE} className="spin" /> : <Download {...SIZE} />}
          entries={exportsOf(research, acts, words)}
        />
      )}
      {state !== 'running' && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('research.delete')}
          title={say('research.delete')}
          onClick={acts.remove}
        >
          <Trash2 {...SIZE} />
        </button>
      )}
    </div>
  );
}
