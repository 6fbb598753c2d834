import { expect, test } from '@jest/globals';
import { checkedManifest } from './manifest.ts';

const file = { path: 'one.gguf', bytes: 5, sha256: 'c'.repeat(64) };
const good = {
  id: 'tiny',
  repo: 'maker/tiny',
  revision: 'a'.repeat(40),
  files: [file],
  bytes: 5,
  path: 'one.gguf',
  license: 'mit',
};

test.each([
  ['HUB_TRANSFER_INVALID', 'an id that is a path', { id: '../x' }],
  ['HUB_TRANSFER_INVALID', 'a repository elsewhere', { repo: 'https://other.example/x' }],
  ['HUB_TRANSFER_INVALID', 'a branch', { revision: 'main' }],
  ['HUB_TRANSFER_INVALID', 'a wrong sum of bytes', { bytes: 6 }],
  ['HUB_TRANSFER_INVALID', 'no files', { files: [] }],
  ['HUB_TRANSFER_INVALID', 'an empty file', { files: [{ ...file, bytes: 0 }], bytes: 0 }],
  ['HUB_TRANSFER_INVALID', 'a short sum', { files: [{ ...file, sha256: 'c' }] }],
  ['HUB_TRANSFER_INVALID', 'an empty name', { name: ' ' }],
  ['HUB_TRANSFER_INVALID', 'a long licence', { license: 'l'.repeat(161) }],
  ['HUB_PATH_REJECTED', 'a path out of it', { files: [{ ...file, path: '../one.gguf' }] }],
  ['HUB_PATH_REJECTED', 'a path from the root', { files: [{ ...file, path: '/etc/one.gguf' }] }],
  ['HUB_PATH_REJECTED', 'a path of Windows', { files: [{ ...file, path: 'a\\one.gguf' }] }],
  ['HUB_PATH_REJECTED', 'a name that partial files have', { files: [{ ...file, path: 'one.gguf.partial' }] }],
  ['HUB_PATH_REJECTED', 'names of one letter case', { files: [file, { ...file, path: 'ONE.gguf' }], bytes: 10 }],
  ['HUB_PATH_REJECTED', 'a file that is a folder too', { files: [file, { ...file, path: 'one.gguf/two' }], bytes: 10 }],
  ['HUB_PATH_REJECTED', 'an entry out of it', { path: '../one.gguf' }],
] as const)('answers %s for %s', (code, _title, wrong) => {
  expect(() => checkedManifest({ ...good, ...(wrong as object) }, '')).toThrow(expect.objectContaining({ code }));
});

test('an entry outside the files falls back to the first file', () => {
  expect(checkedManifest({ ...good, path: 'models/tiny.gguf', name: ' Tiny ' }, 'now')).toEqual({
    ...good,
    name: 'Tiny',
    sha256: file.sha256,
    entry: 'one.gguf',
    state: 'incomplete',
    updatedAt: 'now',
    path: undefined,
  });
});
