import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir, tinyModel } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { engineLibrary } from '../library/engine-library.ts';
import { readHeader } from './header.ts';

const LIBRARY = engineLibrary('/nowhere');

import { readHeaderFile } from './header-file.ts';

const TOOLS =
  "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{{ '<' + m['role'] + '>' + (m['content'] or '') }}{% endfor %}";
const NO_SYSTEM =
  "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}{{ m['role'] + m['content'] }}{% endfor %}";
const ENDLESS =
  '{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}x{% endfor %}{% endfor %}{% endfor %}';

describe('the header of a model file', () => {
  test('is read in a worker, with the features of its chat template', async () => {
    await using dir = await tempDir();
    const path = join(dir.path, 'model.gguf');
    writeFileSync(path, tinyModel({ contextLength: 4_096 }));
    expect(await readHeader(path, LIBRARY)).toEqual({
      version: 3,
      architecture: 'llama',
      trainedTokens: 4_096,
      layers: 1,
      embedding: 64,
      vocabulary: 355,
      feedForward: 64,
      cacheElements: [64],
      window: null,
      hasTemplate: true,
      template: { tools: true, toolCalls: true, systemRole: true },
    });
  });

  test.each([
    ['none', null, false, null],
    ['one with tools of its own', TOOLS, true, { tools: true, toolCalls: true, systemRole: true }],
    ['one that refuses a system message', NO_SYSTEM, true, { tools: true, toolCalls: true, systemRole: false }],
    ['one that is broken', '{% for %}', true, null],
    ['one that says nothing', 'hello', true, null],
  ])('reads from a template: %s', async (_name, template, hasTemplate, seen) => {
    await using dir = await tempDir();
    const path = join(dir.path, 'model.gguf');
    writeFileSync(path, tinyModel({ template }));
    expect(await readHeaderFile(path, LIBRARY)).toMatchObject({ header: { hasTemplate, template: seen } });
  });

  test('with an endless template times out', async () => {
    await using dir = await tempDir();
    const path = join(dir.path, 'model.gguf');
    writeFileSync(path, tinyModel({ template: ENDLESS }));
    await expect(readHeader(path, LIBRARY)).rejects.toMatchObject({ code: 'MODEL_HEADER_INVALID' });
    await expect(readHeader(path, undefined)).resolves.toMatchObject({ hasTemplate: true, template: null });
  });

  test('is unreadable for a missing file or a folder, and invalid without a context length', async () => {
    await using dir = await tempDir();
    await expect(readHeader(join(dir.path, 'nothing'), undefined)).rejects.toMatchObject({
      code: 'MODEL_HEADER_UNREADABLE',
    });
    const path = join(dir.path, 'model.gguf');
    writeFileSync(path, tinyModel({ contextLength: null }));
    await expect(readHeader(path, undefined)).rejects.toMatchObject({ code: 'MODEL_HEADER_INVALID' });
  });

  test('corrupted in two hundred ways gives a header or an error', async () => {
    await using dir = await tempDir();
    const whole = tinyModel();
    let state = 7;
    const draw = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 4_294_967_296) * below);
    };
    const outcomes = new Set<string>();
    for (let round = 0; round < 200; round += 1) {
      const bytes = Buffer.from(round % 5 === 0 ? whole.subarray(0, draw(20_000)) : whole);
      for (let change = 0; change <= round % 7 && bytes.length > 0; change += 1) {
        const at = draw(Math.min(bytes.length, change % 2 ? 1_400 : 24_000));
        if (round % 3 === 0) bytes.fill(0xff, at, Math.min(at + 8, bytes.length));
        else bytes[at] = draw(256);
      }
      const path = join(dir.path, `${round}.gguf`);
      writeFileSync(path, bytes);
      const answer = await readHeaderFile(path, undefined);
      outcomes.add('header' in answer ? 'header' : answer.problem);
    }
    expect([...outcomes].toSorted()).toEqual(['header', 'invalid']);
  });
});
