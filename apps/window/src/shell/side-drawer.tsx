import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '../styles/overlays.css';
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { useFocusRestore } from './focus-restore.ts';

export function SideDrawer(props: { side: 'left' | 'right'; label: string; close: () => void; children: ReactNode }) {
  const { say } = useWords();
  useFocusRestore();
  return (
    <Drawer
      opened
      onClose={props.close}
      position={props.side}
      size={320}
      padding={0}
      title={props.label}
      closeButtonProps={{ 'aria-label': say('act.close') }}
      classNames={{ content: 'drawer', header: 'drawer-head', body: 'drawer-body', title: 'drawer-title' }}
    >
      {props.children}
    </Drawer>
  );
}
