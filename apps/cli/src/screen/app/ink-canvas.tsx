import { EventEmitter } from 'node:events';
import { Box, type Instance, render, Text } from 'ink';
import { memo, type ReactElement } from 'react';
import type { Size } from '../part.ts';
import type { Frame, FrameWriter } from './frame-writer.ts';

/** Lays rows out with Ink and hands every finished frame to the writer. */
export interface Canvas {
  show(rows: readonly string[], cursor: Frame['cursor']): void;
  close(): void;
}

/**
 * What Ink takes for the terminal. It prints each frame whole; the writer knows what of it is new, where the cursor is,
 * and how to do so without a line at the bottom to spare.
 */
class Sheet extends EventEmitter {
  columns = 80;
  rows = 24;
  readonly isTTY = false;
  readonly writable = true;
  onFrame: (output: string) => void = () => undefined;

  write(output: string): boolean {
    this.onFrame(output);
    return true;
  }
}

export function createCanvas(writer: FrameWriter, size: () => Size): Canvas {
  const sheet = new Sheet();
  let cursor: Frame['cursor'];
  let isOpen = true;
  let ink: Instance | undefined;
  sheet.onFrame = (output) => {
    if (isOpen) writer.show({ rows: output.split('\n'), cursor });
  };
  return {
    show(rows, at) {
      if (!isOpen) return;
      const { width, height } = size();
      sheet.columns = width;
      sheet.rows = height;
      cursor = at;
      const screen = <Rows rows={rows} width={width} height={height} />;
      if (ink) ink.rerender(screen);
      else ink = begin(screen, sheet);
    },
    close() {
      isOpen = false;
      ink?.unmount();
    },
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

function Rows({ rows, width, height }: { rows: readonly string[]; width: number; height: number }): ReactElement {
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
