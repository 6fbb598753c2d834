import type { Config } from '../../config/config.ts';
import type { Io } from '../../io.ts';
import type { BusyInput } from '../workbench.ts';

/** The `ui.*` settings of the screen, with their defaults. */
export interface UiSettings {
  isMarkdown: boolean;
  notifications: 'auto' | 'bell' | 'off';
  /** Undefined: the whole terminal. */
  maxProseWidth: number | undefined;
  exitOutput: 'transcript' | 'resume';
  busyInput: BusyInput;
  showsReasoning: boolean;
  hasMouse: boolean;
  keepsHistory: boolean;
  /** The model names new conversations after their first answer. */
  suggestsTitles: boolean;
  /** No animation: FUCINA_REDUCED_MOTION or NO_MOTION. */
  isStill: boolean;
}

export function uiSettings({ values }: Pick<Config, 'values'>, env: Io['env']): UiSettings {
  const at = <Value>(key: string, fallback: Value): Value =>
    (values.get(`ui.${key}`)?.value as Value | undefined) ?? fallback;
  return {
    isMarkdown: at('markdown', true),
    notifications: at<UiSettings['notifications']>('notifications', 'auto'),
    maxProseWidth: at<number | undefined>('maxProseWidth', undefined),
    exitOutput: at<UiSettings['exitOutput']>('exitOutput', 'transcript'),
    busyInput: at<BusyInput>('busyInput', 'queue'),
    showsReasoning: at<string>('reasoning', 'collapsed') === 'visible',
    hasMouse: at('mouse', true),
    keepsHistory: at('history.persist', true),
    suggestsTitles: at('titles', true),
    isStill: Boolean(env.FUCINA_REDUCED_MOTION || env.NO_MOTION),
  };
}
