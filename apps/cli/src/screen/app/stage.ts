import type { Services } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import type { Choices } from '../../choices.ts';
import type { RunProgram } from '../../command-facts.ts';
import type { Config } from '../../config/config.ts';
import { type ExitCode } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { type LiveConversation } from '../conversation/conversation.ts';
import type { Composer } from '../input/composer.ts';
import { type History } from '../input/history.ts';
import { type Keymap } from '../input/keymap.ts';
import { type InputSource } from '../input/source.ts';
import { type Highlighter } from '../render/highlight.ts';
import { type Palette } from '../render/palette.ts';
import type { Workbench } from '../workbench.ts';
import { type App } from './app.ts';
import { type Deferred } from './deferred.ts';
import { type FrameWriter } from './frame-writer.ts';
import type { Lending } from './lending.ts';
import { type ScreenMode } from './screen-mode.ts';
import { type UiSettings } from './ui-settings.ts';

export interface ScreenStart {
  config: Config;
  choices: Choices;
  terminal: Terminal;
  runProgram: RunProgram;
}

/** All parts of the screen. */
export interface ScreenContext extends ScreenStart {
  ambient: Ambient;
  ui: UiSettings;
  keymap: Keymap;
  palette: Palette;
  highlighter: Highlighter;
  hold: ScreenMode;
  writer: FrameWriter;
  input: InputSource;
  conversation: LiveConversation;
  app: App;
  composer: Composer;
  history: History;
  services: Deferred<Services>;
  workbench: Deferred<Workbench>;
  lending: Lending;
  /** How the user quit. */
  left: Deferred<ExitCode>;
  /** Shows an expected error; a bug ends the screen. */
  tellFailure(error: unknown): void;
  /** Releases the terminal. */
  strike(): void;
}
