import { expect, test } from '@jest/globals';
import { startPage } from './start-page.ts';

test('shows the log as text', () => {
  const page = startPage({ kind: 'down', log: ['<script>alert(1)</script> & more'], isFinal: false }, 'en');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; more');
  expect(page).toContain('It is started again in a moment.');
});

test('says what to do when it is not started again', () => {
  expect(startPage({ kind: 'down', log: [], isFinal: true }, 'it')).toContain('Risolvi il problema');
  expect(startPage({ kind: 'down', log: [], isFinal: true }, 'it')).not.toContain('<pre');
});
