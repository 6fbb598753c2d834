import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import type { Line } from '../line.ts';
import { wrapLine } from '../render/wrap.ts';

export interface WelcomeFacts {
  say: Say;
  /** Cleaned. */
  folder: string;
  model: string | null;
}

const NAME_WIDTH = 60;

/** The screen before the first message. */
export function welcome({ say, folder, model }: WelcomeFacts, width: number): Line[] {
  const lines: Line[] = [
    [],
    [
      { text: ' Fucina', token: 'accent', isBold: true },
      { text: `  ${folder}`, token: 'muted' },
    ],
    [],
    ...(model
      ? [
          [{ text: ` ${say('welcome.ask')}` }],
          [{ text: ` ${say('welcome.model', { model: cleanLine(model, NAME_WIDTH) })}`, token: 'muted' as const }],
        ]
      : [
          [{ text: ` ${say('welcome.no-model')}`, token: 'warning' as const }],
          [{ text: ` ${say('welcome.add-provider')}` }],
          [{ text: '   fucina provider set-key anthropic', token: 'accent' as const }],
          [{ text: '   fucina provider set-address ollama http://127.0.0.1:11434', token: 'accent' as const }],
          [{ text: ` ${say('welcome.choose-model')}` }],
        ]),
    [],
    ...(['welcome.files', 'welcome.commands', 'welcome.own', 'welcome.help'] as const).map(
      (key): Line => [{ text: ` ${say(key)}`, token: 'muted' }],
    ),
  ];
  return lines.flatMap((line) => wrapLine(line, width, { rest: [{ text: ' ' }] }));
}
