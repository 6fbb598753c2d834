import { Modal } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { closeOverlay } from './overlay-state.ts';
import { PickList } from './pick-list.tsx';

interface PickDialogProps extends ComponentProps<typeof PickList> {
  size: number;
  /** Shown below the list. */
  children?: ReactNode;
}

/** A searchable list in a dialog. */
export function PickDialog({ size, children, ...list }: PickDialogProps) {
  return (
    <Modal
      opened
      onClose={closeOverlay}
      withCloseButton={false}
      padding={0}
      size={size}
      yOffset="10vh"
      centered={false}
      attributes={{ content: { 'aria-label': list.label } }}
    >
      <PickList {...list} />
      {children}
    </Modal>
  );
}
