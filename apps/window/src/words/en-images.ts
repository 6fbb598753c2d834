/** Texts of diagrams and of the image viewer. */
export const enImages = {
  'diagram.title': 'Diagram',
  'diagram.failed': 'This diagram cannot be drawn.',
  'diagram.source': 'Show source',
  'diagram.show': 'Show diagram',
  'image.enlarge': 'Enlarge: {{name}}',
  'image.tools': 'Image',
  'image.previous': 'Previous image',
  'image.next': 'Next image',
  'image.larger': 'Zoom in',
  'image.smaller': 'Zoom out',
  'image.fit': 'Fit to window or actual size',
  'image.newTab': 'Open in a new tab',
} as const;
