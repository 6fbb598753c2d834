import { EventEmitter } from 'node:events';
import { Box, type Instance, render, Text } from 'ink';
import { memo, type ReactElement } from 'react';

/** One row of the screen, and where it is. */
export interface PlacedRow {
  index: number;
  text: string;
}

/** Rows laid out by Ink, each for itself. */
export interface InkRows {
  /** As they are to be printed, in the same order. */
  lay(rows: readonly PlacedRow[], width: number): readonly string[];
  close(): void;
}

/**
 * What Ink takes for the terminal. It prints what it is given whole; who asked for it knows where on the terminal it goes,
 * where the cursor is, and needs no line at the bottom to spare.
 */
class Sheet extends EventEmitter {
  columns = 80;
  rows = 24;
  readonly isTTY = false;
  readonly writable = true;
  printed: string | undefined;

  write(output: string): boolean {
    this.printed = output;
    return true;
  }
}

export function createInkRows(): InkRows {
  const sheet = new Sheet();
  let ink: Instance | undefined;
  return {
    lay(rows, width) {
      sheet.columns = width;
      sheet.rows = rows.length;
      sheet.printed = undefined;
      const screen = <Rows rows={rows} width={width} />;
      if (ink) ink.rerender(screen);
      else ink = begin(screen, sheet);
      // Nothing is printed for what is as it was.
      return (sheet.printed as string | undefined)?.split('\n') ?? rows.map(({ text }) => text);
    },
    close: () => ink?.unmount(),
  };
}

function begin(screen: ReactElement, sheet: Sheet): Instance {
  return render(screen, {
    stdout: sheet as unknown as NodeJS.WriteStream,
    // Each time as it is made: this side decides when that is.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
}

function Rows({ rows, width }: { rows: readonly PlacedRow[]; width: number }): ReactElement {
  return (
    <Box flexDirection="column" width={width} height={rows.length} overflow="hidden">
      {rows.map(({ index, text }) => (
        <Row key={index} text={text} />
      ))}
    </Box>
  );
}

const Row = memo(function Row({ text }: { text: string }): ReactElement {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
