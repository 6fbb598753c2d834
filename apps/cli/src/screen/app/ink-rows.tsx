import { EventEmitter } from 'node:events';
import { Box, type Instance, render, Text } from 'ink';
import { memo, type ReactElement } from 'react';
import type { Size } from '../part.ts';

/** Rows laid out by Ink. */
export interface InkRows {
  /** The finished frame goes to `onFrame` before this returns. */
  show(rows: readonly string[], size: Size): void;
  close(): void;
}

/**
 * What Ink takes for the terminal. It prints each frame whole; who gets it knows what of it is new, where the cursor is,
 * and needs no line at the bottom to spare.
 */
class Sheet extends EventEmitter {
  columns = 80;
  rows = 24;
  readonly isTTY = false;
  readonly writable = true;
  private readonly onFrame: (rows: readonly string[]) => void;

  constructor(onFrame: (rows: readonly string[]) => void) {
    super();
    this.onFrame = onFrame;
  }

  write(output: string): boolean {
    this.onFrame(output.split('\n'));
    return true;
  }
}

export function createInkRows(onFrame: (rows: readonly string[]) => void): InkRows {
  const sheet = new Sheet(onFrame);
  let ink: Instance | undefined;
  return {
    show(rows, { width, height }) {
      sheet.columns = width;
      sheet.rows = height;
      const screen = <Rows rows={rows} width={width} height={height} />;
      if (ink) ink.rerender(screen);
      else ink = begin(screen, sheet);
    },
    close: () => ink?.unmount(),
  };
}

function begin(screen: ReactElement, sheet: Sheet): Instance {
  return render(screen, {
    stdout: sheet as unknown as NodeJS.WriteStream,
    // Every frame as it is made: this side decides when one is made.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
}

function Rows({ rows, width, height }: { rows: readonly string[] } & Size): ReactElement {
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {rows.map((text, index) => (
        <Row key={index} text={text} />
      ))}
    </Box>
  );
}

const Row = memo(function Row({ text }: { text: string }): ReactElement {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
