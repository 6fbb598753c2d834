import type { enImages } from './en-images.ts';

export const itImages: Record<keyof typeof enImages, string> = {
  'diagram.title': 'Diagramma',
  'diagram.failed': 'Impossibile disegnare questo diagramma.',
  'diagram.source': 'Mostra il sorgente',
  'diagram.show': 'Mostra il diagramma',
  'image.enlarge': 'Ingrandisci: {{name}}',
  'image.tools': 'Immagine',
  'image.previous': 'Immagine precedente',
  'image.next': 'Immagine successiva',
  'image.larger': 'Ingrandisci',
  'image.smaller': 'Riduci',
  'image.fit': 'Adatta alla finestra o dimensioni reali',
  'image.newTab': 'Apri in una nuova scheda',
};
