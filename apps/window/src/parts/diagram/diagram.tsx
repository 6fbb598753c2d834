import '../../styles/diagram.css';
import { useEffect, useState } from 'react';
import type { DiagramColours } from '../../guest/diagram.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { useAppearance } from '../../styles/appearance.ts';
import { useWords } from '../../words/words.ts';
import { Code } from '../code.tsx';
import { type Drawing, draw } from './renderer.ts';

function currentColours(isDark: boolean): DiagramColours {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    isDark,
    background: colour('--background'),
    surface: colour('--raised'),
    line: colour('--line'),
    text: colour('--text'),
    accent: colour('--accent'),
  };
}

/** A Mermaid diagram, drawn; its source on request, or if it has an error. */
export function Diagram({ code }: { code: string }) {
  const { say } = useWords();
  const { mode, theme } = useAppearance();
  const [drawing, setDrawing] = useState<Drawing>();
  const [problem, setProblem] = useState<string>();
  const [isSource, setIsSource] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    draw(code, currentColours(mode === 'dark'))
      .then((found) => {
        if (!isCurrent) return;
        setDrawing(found);
        setProblem(undefined);
      })
      .catch((error: Error) => isCurrent && setProblem(error.message));
    return () => {
      isCurrent = false;
    };
  }, [code, mode, theme]);
  const title = say('diagram.title');
  return (
    <div className="diagram">
      {problem !== undefined && (
        <p className="diagram-problem small">
          {say('diagram.failed')} <span className="muted">{problem}</span>
        </p>
      )}
      {!isSource && problem === undefined && drawing && (
        <button
          type="button"
          className="diagram-image"
          aria-label={say('image.enlarge', { name: title })}
          title={say('image.enlarge', { name: title })}
          onClick={() => openOverlay({ kind: 'image', images: [{ url: drawing.url, name: title }], at: 0 })}
        >
          <img src={drawing.url} width={drawing.width} height={drawing.height} alt={title} />
        </button>
      )}
      {(isSource || !drawing || problem !== undefined) && <Code code={code} language="mermaid" />}
      {drawing && problem === undefined && (
        <button type="button" className="text-button" onClick={() => setIsSource(!isSource)}>
          {say(isSource ? 'diagram.show' : 'diagram.source')}
        </button>
      )}
    </div>
  );
}
