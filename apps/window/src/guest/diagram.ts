import mermaid from 'mermaid';

/**
 * Runs in the sandboxed page of `/api/v1/ext/pages/diagrams`; these are its messages. It says `ready` once, then
 * answers each `DiagramRequest` with the `DiagramAnswer` of the same id, in order.
 */
export interface DiagramRequest {
  type: 'diagram';
  id: number;
  text: string;
  colours: DiagramColours;
}

export interface DiagramColours {
  isDark: boolean;
  background: string;
  surface: string;
  line: string;
  text: string;
  accent: string;
}

export type DiagramAnswer =
  | { type: 'ready' }
  /** `svg` is a whole document with its size in pixels. */
  | { type: 'diagram'; id: number; svg: string; width: number; height: number }
  | { type: 'diagram'; id: number; problem: string };

const MAX_PROBLEM_CHARS = 300;

function configure({ isDark, background, surface, line, text, accent }: DiagramColours): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: 50_000,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: 'base',
    themeVariables: {
      darkMode: isDark,
      fontFamily: 'system-ui, sans-serif',
      fontSize: '14px',
      background,
      primaryColor: surface,
      primaryTextColor: text,
      primaryBorderColor: line,
      lineColor: text,
      textColor: text,
      edgeLabelBackground: background,
      noteBkgColor: surface,
      noteTextColor: text,
      noteBorderColor: accent,
    },
  });
}

/** As an image has no page around it, the size must be in the drawing itself. */
function sized(svg: string): { svg: string; width: number; height: number } {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/\s+/).map(Number);
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  return { svg: new XMLSerializer().serializeToString(root), width: Math.ceil(width), height: Math.ceil(height) };
}

async function draw({ id, text, colours }: DiagramRequest): Promise<DiagramAnswer> {
  try {
    configure(colours);
    const { svg } = await mermaid.render(`diagram-${id}`, text);
    return { type: 'diagram', id, ...sized(svg) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { type: 'diagram', id, problem: problem.slice(0, MAX_PROBLEM_CHARS) };
  }
}

const say = (answer: DiagramAnswer): void => parent.postMessage(answer, location.origin);

let last = Promise.resolve();
addEventListener('message', ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== parent || data?.type !== 'diagram') return;
  // One after the other: the library keeps its settings for all of them.
  last = last.then(async () => say(await draw(data)));
});
say({ type: 'ready' });
