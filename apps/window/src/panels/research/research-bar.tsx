import { Button } from '@mantine/core';
import { Download, LoaderCircle, Pause, Play, RefreshCw, RotateCw, Square, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { EXPORTS, type Research, TONES } from '../../wire/research.ts';
import { useWords, type Words } from '../../words/words.ts';
import type { ResearchActions } from './use-research-actions.ts';

const SIZE = { size: 14, 'aria-hidden': true } as const;
/** Created only from the checked record. */
const OF_RECORD: ReadonlySet<string> = new Set(['json', 'bib', 'ris', 'fonti']);

function exportsOf({ bilancio }: Research, { carry }: ResearchActions, { say }: Words): MenuEntry[] {
  return EXPORTS.flatMap((formato): MenuEntry[] => {
    const isDisabled = OF_RECORD.has(formato) && bilancio === null;
    if (formato !== 'pdf') {
      const act = () => carry({ formato });
      return [{ id: formato, icon: <Download {...SIZE} />, name: say(`research.export.${formato}`), isDisabled, act }];
    }
    return TONES.map((tono) => ({
      id: `pdf ${tono}`,
      icon: <Download {...SIZE} />,
      name: say(`research.export.pdf.${tono}`),
      act: () => carry({ formato, tono }),
    }));
  });
}

/** Its conversation was interrupted, but the run has not ended: it can be resumed. */
export const isInterrupted = ({ stato, conclusaAlle }: Research): boolean =>
  stato === 'failed' && conclusaAlle === null;

interface BarProps {
  research: Research;
  acts: ResearchActions;
}

/** The actions for a report in its current state. */
export function ResearchBar({ research, acts }: BarProps) {
  const words = useWords();
  const { say } = words;
  const { stato, giornale, report, contenutoRespinto } = research;
  const isPausing = giornale?.stato === 'pause_requested';
  const canResume = stato === 'paused' || isInterrupted(research);
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
      {stato === 'running' && button('pause', Pause)}
      {stato === 'running' && button('stop', Square)}
      {canResume && button('resume', Play)}
      {stato === 'done' && button('recheck', RefreshCw)}
      {stato !== 'running' && stato !== 'done' && !canResume && research.domanda !== null && (
        <Button
          component={Link}
          to={`?ask=${encodeURIComponent(research.domanda)}`}
          leftSection={<RotateCw {...SIZE} />}
          variant="default"
        >
          {say('research.act.again')}
        </Button>
      )}
      {(report !== null || contenutoRespinto !== null) && (
        <Menu
          label={say('research.export')}
          className="research-export"
          icon={acts.isCarrying ? <LoaderCircle {...SIZE} className="spin" /> : <Download {...SIZE} />}
          entries={exportsOf(research, acts, words)}
        />
      )}
      {stato !== 'running' && (
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
