import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPermissionRules, type RuleTexts } from './permission-rules.ts';

let folder: TempDir;
beforeAll(async () => {
  folder = await tempDir();
  await folder.write({ 'src/a.ts': '', 'secret/key.pem': '', '.env': '' });
  symlinkSync(join(folder.path, 'secret'), join(folder.path, 'public'));
  mkdirSync(join(folder.path, 'docs'));
});

const rules = (given: Partial<RuleTexts>) => createPermissionRules({ allow: [], ask: [], deny: [], ...given });

async function shell(given: Partial<RuleTexts>, comando: string): Promise<string | undefined> {
  return (await rules(given).judge({ tipo: 'shell', comando }, folder.path))?.verdict;
}

async function edit(given: Partial<RuleTexts>, percorso: string, tipo = 'file_edit'): Promise<string | undefined> {
  return (await rules(given).judge({ tipo, percorso }, folder.path))?.verdict;
}

describe('a rule that allows commands', () => {
  const allow = [
    'Bash(git status)',
    'Bash(git log *)',
    'Bash(npm run test:*)',
    'Bash(wc *)',
    'Bash(find *)',
    'Bash(watch *)',
    'Bash(sh *)',
  ];
  test.each([
    'git status',
    'git log',
    'git log --oneline -5',
    'git log \'a b\' "c"',
    'npm run test:unit',
    'git log | wc -l',
    'git status && git log; git log $ANY',
    'git log 2>/dev/null 2>&1',
    'git log < input',
    'wc $(git log)',
    'find . -name sh',
    'find . -newer bash',
    'watch -n 5 git',
    'sh deploy.sh -s',
    'for one in a b; do git log; done',
  ])('allows %s', async (line) => expect(await shell({ allow }, line)).toBe('allow'));

  test.each([
    '',
    'git',
    'git statusx',
    'git status --short',
    'git push',
    'npm run build',
    'git log && git push',
    'git log | sh',
    'git log; rm -rf .',
    'git log $(rm x)',
    'git log `rm x`',
    'git log <(rm x)',
    'git log "$(rm x)"',
    'git log > out.txt',
    'git log >> .bashrc',
    'git log 2> out.txt',
    'git log &> out.txt',
    'GIT_PAGER=rm git log',
    'PATH=.:$PATH; git log',
    'git() { rm x; }; git log',
    'export PATH=.; git log',
    '$GIT log',
    './git log',
    '/tmp/git log',
    'git log\nrm x',
    'git log & rm x',
    'git log (',
    'env git log',
    'eval git log',
    'bash -c "git push"',
    'git* log',
  ])('does not match %s', async (line) => expect(await shell({ allow }, line)).toBeUndefined());
});

test('names the rule that allows a line, of several the one of its first command', async () => {
  const rules = createPermissionRules({ allow: ['Bash(git status)', 'Bash(find *)'], ask: [], deny: [] });
  const ruleOf = async (comando: string) => (await rules.judge({ tipo: 'shell', comando }, '/work'))?.rule;
  expect(await ruleOf('find . -name x')).toBe('Bash(find *)');
  expect(await ruleOf('git status')).toBe('Bash(git status)');
  expect(await ruleOf('find . && git status')).toBe('Bash(find *)');
  expect(await ruleOf('git status && rm x')).toBeUndefined();
});

describe('a rule that denies commands', () => {
  const deny = ['Bash(rm *)', 'Bash(git push *)'];
  test.each([
    'rm x',
    'rm',
    '/bin/rm x',
    "r'm' x",
    '\\rm x',
    'ls && rm x',
    'ls | xargs rm',
    'ls | xargs -n 1 rm -f',
    'sudo rm x',
    'env A=b rm x',
    'find . -name x -exec rm {} +',
    'timeout 5 nice rm x',
    'echo $(rm x)',
    'echo "`rm x`"',
    'bash -c "rm x"',
    "sh -ec 'ls; rm x'",
    'eval rm x',
    'eval \'bash -c "rm x"\'',
    'f() { rm x; }; f',
    'if true; then rm x; fi',
    'cat <<E\n$(rm x)\nE',
    'git push',
    'git push origin main',
    'git $SUBCOMMAND',
    'A=b rm x',
    'rm x > /dev/null',
    'git -C . push origin',
    'git -c a=b --no-pager push',
    'git --git-dir=.git push origin',
    'git -C "$FOLDER" push',
    'trap "rm x" EXIT',
    'coproc rm x',
    'flock lock rm x',
    'flock lock -c "rm x"',
    'unshare -r rm x',
    'strace -f rm x',
    'script -qc "rm x" /dev/null',
    'su -c "rm x"',
    'watch "rm x"',
    'fish -c "rm x"',
  ])('denies %s', async (line) => expect(await shell({ deny }, line)).toBe('deny'));

  test.each([
    '$CMD x',
    'eval "$X"',
    'bash -c "$X"',
    'ls (',
    'r* x',
    'cat <<E | sh\nrm x\nE',
    'bash -s x < f',
    'source "$X"',
    '. $X',
    'source *.sh',
    'bash $SCRIPT',
    'ls | sudo -n env A=b sh',
    'ls | timeout 5 bash',
  ])('asks when %s is unknown until it runs', async (line) =>
    expect(await shell({ deny, allow: ['Bash'] }, line)).toBe('ask'),
  );

  test.each([
    'ls',
    'echo rm',
    'git pull',
    "echo 'rm x'",
    'grep -r "rm x" .',
    '# rm x',
    'git log -n 1 push',
    'bash --version',
    'trap - EXIT',
  ])('does not match %s', async (line) => expect(await shell({ deny }, line)).toBeUndefined());
});

test('deny wins over ask and ask over allow, in any order', async () => {
  const all = { allow: ['Bash'], ask: ['Bash(git *)'], deny: ['Bash(git push *)'] };
  expect(await shell(all, 'ls')).toBe('allow');
  expect(await shell(all, 'git log')).toBe('ask');
  expect(await shell(all, 'git push')).toBe('deny');
  expect(await rules(all).judge({ tipo: 'shell', comando: 'git push' }, folder.path)).toEqual({
    verdict: 'deny',
    rule: 'Bash(git push *)',
  });
});

describe('path rules', () => {
  test('are globs relative to the folder, and a bare name matches anywhere', async () => {
    const allow = ['Edit(src/**)', 'Edit(*.md)'];
    expect(await edit({ allow }, 'src/a.ts')).toBe('allow');
    expect(await edit({ allow }, 'src/deep/new.ts')).toBe('allow');
    expect(await edit({ allow }, 'docs/new.md')).toBe('allow');
    expect(await edit({ allow }, 'SRC/a.ts')).toBeUndefined();
    expect(await edit({ allow }, 'other.ts')).toBeUndefined();
    expect(await edit({ allow }, '/etc/passwd')).toBeUndefined();
    expect(await edit({ allow }, 'src/../../x.md')).toBeUndefined();
  });

  test('deny a path under all its names', async () => {
    const deny = ['Edit(secret/**)', `Read(${folder.path}/.env)`];
    expect(await edit({ deny }, 'secret/key.pem')).toBe('deny');
    expect(await edit({ deny }, 'Secret/KEY.pem')).toBe('deny');
    expect(await edit({ deny }, 'public/key.pem')).toBe('deny');
    expect(await edit({ deny }, 'public/new/file')).toBe('deny');
    expect(await edit({ deny }, 'src/../secret/key.pem')).toBe('deny');
    expect(await edit({ deny }, '.env', 'leggi')).toBe('deny');
    expect(await edit({ deny }, 'src/a.ts')).toBeUndefined();
  });

  describe('about reading', () => {
    const deny = ['Read(.env)', 'Read(secret/**)'];
    test.each([
      'cat .env',
      'cat ./sub/.ENV',
      'cat public/key.pem',
      'grep -i password secret/key.pem',
      'cat < .env',
      'while read one; do echo $one; done <secret/key.pem',
      'cp .env copy',
      'dd if=.env',
      'grep --file=.env x',
      'ls && sudo cat .env',
      'bash -c "cat .env"',
      'echo "$(head -n 1 .env)"',
      'find . -exec cat .env +',
      '. ./.env',
    ])('deny %s', async (line) => expect(await shell({ deny, allow: ['Bash'] }, line)).toBe('deny'));

    test.each(['echo .env', 'git add .env', 'ls -l .env', 'cat notes.md', 'cat x > .env', 'cat *.md', 'cat src/*.ts'])(
      'do not match %s',
      async (line) => expect(await shell({ deny }, line)).toBeUndefined(),
    );

    test.each([
      'cat "$FILE"',
      'cat $(ls)',
      'cat .e*',
      'cat *',
      'cat .en?',
      'cat {.env,x}',
      'cat .[e]nv',
      'head -n 1 */.env',
      'cat s*/key.pem',
      'cat se?ret/*',
      'cat < $FILE',
      'cp .e* copy',
      'source $FILE',
      '. "$FILE"',
      'source *.sh',
      'bash "$SCRIPT"',
      '$CMD .env',
      'eval "$X"',
      'ls -a | xargs cat',
      'find . -name x -exec cat {} +',
      'git show "$REF"',
    ])('ask when %s may name the file at run time', async (line) => {
      expect(await shell({ deny, allow: ['Bash'] }, line)).toBe('ask');
      expect(await shell({ ask: deny, allow: ['Bash'] }, line)).toBe('ask');
      expect(await shell({ allow: ['Read(.env)'] }, line)).toBeUndefined();
    });

    test.each([
      ['rm $FILE', 'ask'],
      ['rm *', 'ask'],
      ['rm src/*', 'ask'],
      ['echo x > $OUT', 'ask'],
      ['ls | xargs rm', 'ask'],
      ['cp a "$TO"', 'ask'],
      ['rm *.md', undefined],
      ['rm docs/*', undefined],
      ['cat $FILE', undefined],
      ['sed s/a/b/ $FILE', undefined],
    ])('of writing judge %s as %s', async (line, verdict) =>
      expect(await shell({ deny: ['Edit(src/**)'] }, line)).toBe(verdict),
    );

    test.each([
      'echo x > src/a.ts',
      'echo x >> ./src/a.ts',
      'sed -i s/a/b/ src/a.ts',
      'rm src/a.ts',
      'mv src/a.ts b.ts',
      'cp b.ts src/new.ts',
      'ls | tee src/list',
      'dd if=b of=src/a.ts',
      'bash -c "touch src/x"',
      'cat <<E >src/x\nE',
    ])('deny %s as a change', async (line) => {
      expect(await shell({ deny: ['Edit(src/**)'], allow: ['Bash'] }, line)).toBe('deny');
    });

    test.each(['cat src/a.ts', 'cp src/a.ts b.ts', 'sed s/a/b/ src/a.ts', 'ls > out', 'rm b', 'tsc > /dev/null'])(
      'do not take %s for a change',
      async (line) => expect(await shell({ deny: ['Edit(src/**)'] }, line)).toBeUndefined(),
    );

    test('ask before a command that names a file, also one that is allowed', async () => {
      expect(await shell({ ask: deny, allow: ['Bash'] }, 'cat .env')).toBe('ask');
      expect(await shell({ ask: deny, allow: ['Bash'] }, `cat ${folder.path}/.env`)).toBe('ask');
      expect(await shell({ ask: deny, allow: ['Bash'], deny: ['Bash(cat *)'] }, 'cat .env')).toBe('deny');
      expect(await shell({ ask: deny, allow: ['Bash'] }, 'cat notes.md')).toBe('allow');
    });

    test.each([
      'git show HEAD:.env',
      'git show HEAD~2:./.env',
      'git cat-file -p HEAD:.env',
      'git cat-file blob :0:.env',
      'git diff main -- .env',
      'git log -p -- .env',
      'git -C . --no-pager log -p --all .env',
      'git grep TOKEN -- .env',
      'git blame .env',
      'git archive HEAD .env',
      'true && git show :secret/key.pem',
    ])('ask before git prints what it stores of a file: %s', async (line) => {
      expect(await shell({ deny, allow: ['Bash'] }, line)).toBe('ask');
      expect(await shell({ ask: deny, allow: ['Bash'] }, line)).toBe('ask');
      expect(await shell({ deny: [...deny, 'Bash(git *)'], allow: ['Bash'] }, line)).toBe('deny');
    });

    test.each(['git show HEAD:src/a.ts', 'git log -p', 'git diff -- .env.example', 'git commit -m ".env: note"'])(
      'do not ask before git prints what it stores of others: %s',
      async (line) => {
        expect(await shell({ deny, allow: ['Bash'] }, line)).toBe('allow');
      },
    );

    test('deny a line that also names the file itself', async () => {
      expect(await shell({ deny, allow: ['Bash'] }, 'git show HEAD:.env; cat .env')).toBe('deny');
    });

    test('say which files a command sees empty', () => {
      const denied = rules({ deny, ask: ['Read(drafts/*.md)'] }).deniesReading(folder.path);
      const paths = ['a/.env', 'secret/x/y', 'drafts/a.md', '.env.example'];
      expect(paths.filter((path) => denied?.isDenied(join(folder.path, path)))).toEqual(['a/.env', 'secret/x/y']);
      expect(rules({ ask: ['Read(a)'], deny: ['Edit(x)'] }).deniesReading(folder.path)).toBeUndefined();
    });

    test('say which files a search leaves out', () => {
      const isGuarded = rules({ deny, ask: ['Read(drafts/*.md)'] }).guardsReading(folder.path);
      const guarded = ['a/.env', 'secret/x/y', 'drafts/a.md', 'drafts/a.txt', 'src/secret/x'].filter((path) =>
        isGuarded?.(join(folder.path, path)),
      );
      expect(guarded).toEqual(['a/.env', 'secret/x/y', 'drafts/a.md']);
      expect(rules({ deny: ['Bash(rm *)', 'Edit(x)'], allow: ['Read(y)'] }).guardsReading(folder.path)).toBeUndefined();
    });
  });

  test('allow a path only if the link target is allowed', async () => {
    expect(await edit({ allow: ['Edit(public/**)'] }, 'public/key.pem')).toBeUndefined();
  });

  test('for writing cover every tool that writes', async () => {
    expect(await edit({ deny: ['Edit(src/**)'] }, 'src/a.ts', 'scrivi')).toBe('deny');
    expect(await edit({ deny: ['file_edit(src/**)'] }, 'src/a.ts', 'scrivi')).toBeUndefined();
  });
});

test('a rule for addresses matches a host, and its subdomains with a star', async () => {
  const of = async (deny: string[], url: string) =>
    (await rules({ deny }).judge({ tipo: 'naviga', url }, folder.path))?.verdict;
  expect(await of(['WebFetch(domain:example.com)'], 'https://example.com/a')).toBe('deny');
  expect(await of(['WebFetch(example.com)'], 'https://EXAMPLE.com./a')).toBe('deny');
  expect(await of(['WebFetch(example.com)'], 'https://www.example.com/')).toBeUndefined();
  expect(await of(['WebFetch(*.example.com)'], 'https://www.example.com/')).toBe('deny');
  expect(await of(['WebFetch(*.example.com)'], 'https://notexample.com/')).toBeUndefined();
});

test('a rule for MCP tools matches the full name or a star', async () => {
  const of = async (deny: string[]) => (await rules({ deny }).judge({ tipo: 'mcp__git__push' }, folder.path))?.verdict;
  expect(await of(['mcp__git__push'])).toBe('deny');
  expect(await of(['mcp__git__*'])).toBe('deny');
  expect(await of(['mcp__other__*'])).toBeUndefined();
});

test('an invalid rule is reported, denies the whole tool, and allows nothing', async () => {
  const odd = rules({ deny: ['task_create(x)', 'Nope(a)', ''], allow: ['notes_create(x)'] });
  expect(odd.problems).toEqual([
    { rule: 'task_create(x)', verdict: 'deny', tool: 'task_create', problem: 'no-pattern', at: 12 },
    { rule: 'Nope(a)', verdict: 'deny', tool: 'Nope', problem: 'unknown-tool', at: 0 },
    { rule: '', verdict: 'deny', problem: 'malformed', at: 0 },
    { rule: 'notes_create(x)', verdict: 'allow', tool: 'notes_create', problem: 'no-pattern', at: 13 },
  ]);
  expect((await odd.judge({ tipo: 'task_create' }, folder.path))?.verdict).toBe('deny');
  expect(await odd.judge({ tipo: 'notes_create' }, folder.path)).toBeUndefined();
});
