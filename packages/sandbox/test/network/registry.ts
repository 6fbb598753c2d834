import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { archive } from '@fucina/testkit';

export interface Registry {
  /** `http://registry.example:PORT`: a name that only the test's resolver knows. */
  address: string;
  port: number;
  server: Server;
  /** Integrity of the npm package. */
  integrity: string;
}

const HOST = 'registry.example';

/** Packages of npm, pip and Go, and a repository for git and cargo, served on this computer. */
export async function startRegistry(base: string): Promise<Registry> {
  const served = join(base, 'served');
  const write = (path: string, text: string): void => {
    mkdirSync(join(served, path, '..'), { recursive: true });
    writeFileSync(join(served, path), text);
  };
  const run = (cwd: string, program: string, ...args: string[]): void => {
    execFileSync(program, args, { cwd, stdio: 'ignore', env: { ...process.env, ...AUTHOR } });
  };
  write('npm/package/package.json', JSON.stringify({ name: 'greeting', version: '1.0.0', main: 'index.js' }));
  write('npm/package/index.js', "module.exports = 'hello from npm';\n");
  run(join(served, 'npm'), 'tar', 'czf', '../greeting-1.0.0.tgz', 'package');

  write('pip/greeting/__init__.py', "TEXT = 'hello from pip'\n");
  write('pip/greeting-1.0.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: greeting\nVersion: 1.0.0\n');
  write(
    'pip/greeting-1.0.0.dist-info/WHEEL',
    'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  );
  write('pip/greeting-1.0.0.dist-info/RECORD', '');
  run(
    join(served, 'pip'),
    'python3',
    '-m',
    'zipfile',
    '-c',
    '../greeting-1.0.0-py3-none-any.whl',
    'greeting',
    'greeting-1.0.0.dist-info',
  );

  write('crate/Cargo.toml', '[package]\nname = "greeting"\nversion = "1.0.0"\nedition = "2021"\n');
  write('crate/src/lib.rs', 'pub const TEXT: &str = "hello from cargo";\n');
  run(join(served, 'crate'), 'git', 'init', '-q', '-b', 'main');
  run(join(served, 'crate'), 'git', 'add', '.');
  run(join(served, 'crate'), 'git', 'commit', '-q', '-m', 'first');
  run(served, 'git', 'clone', '-q', '--bare', 'crate', 'crate.git');
  run(join(served, 'crate.git'), 'git', 'update-server-info');

  const version = 'go/example.org/greeting/@v/v1.0.0';
  write(`${version}.info`, '{"Version":"v1.0.0"}');
  write(`${version}.mod`, 'module example.org/greeting\n');
  const module = [
    { name: 'example.org/greeting@v1.0.0/go.mod', content: 'module example.org/greeting\n' },
    {
      name: 'example.org/greeting@v1.0.0/greeting.go',
      content: 'package greeting\n\nconst Text = "hello from go"\n',
    },
  ];
  writeFileSync(join(served, `${version}.zip`), archive(module));

  const tarball = readFileSync(join(served, 'greeting-1.0.0.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    if (path === '/simple/greeting/') {
      response.setHeader('content-type', 'text/html');
      return response.end('<a href="/greeting-1.0.0-py3-none-any.whl">greeting-1.0.0-py3-none-any.whl</a>');
    }
    try {
      return response.end(readFileSync(join(served, path)));
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { address: `http://${HOST}:${port}`, port, server, integrity };
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.example',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.example',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** The resolver: one name, for this computer. */
export function lookup(name: string, _options: object, done: (error: Error | null, found: object[]) => void): void {
  if (name === HOST) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(new Error('unknown'), []);
}

/** The commands of each tool in an empty folder, and their final output. */
export const TOOLS: readonly { tool: string; prints: string; script(registry: Registry): string }[] = [
  {
    tool: 'npm',
    prints: 'hello from npm',
    script: ({ address, integrity }) => `
      echo '${JSON.stringify({ name: 'a', version: '1.0.0', dependencies: { greeting: '1.0.0' } })}' > package.json
      echo '${JSON.stringify({
        name: 'a',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'a', version: '1.0.0', dependencies: { greeting: '1.0.0' } },
          'node_modules/greeting': { version: '1.0.0', resolved: `${address}/greeting-1.0.0.tgz`, integrity },
        },
      })}' > package-lock.json
      npm ci --no-audit --no-fund --fetch-retries=0 && node -p "require('greeting')"`,
  },
  {
    tool: 'pip',
    prints: 'hello from pip',
    script: ({ address }) => `
      PIP_CONFIG_FILE=/dev/null python3 -m pip install -q --disable-pip-version-check --retries 0 --target lib --trusted-host ${HOST} \
        --index-url ${address}/simple/ greeting; PYTHONPATH=lib python3 -c 'import greeting; print(greeting.TEXT)'`,
  },
  {
    tool: 'git',
    prints: 'hello from cargo',
    script: ({ address }) => `
      mkdir own && cd own && git init -q && git fetch -q ${address}/crate.git main && git show FETCH_HEAD:src/lib.rs`,
  },
  {
    tool: 'cargo',
    prints: 'hello from cargo',
    script: ({ address }) => `
      mkdir src && printf '[package]\\nname="a"\\nversion="1.0.0"\\nedition="2021"\\n[dependencies]\\n' > Cargo.toml
      echo 'greeting = { git = "${address}/crate.git", branch = "main" }' >> Cargo.toml
      echo 'fn main() { println!("{}", greeting::TEXT); }' > src/main.rs
      CARGO_NET_GIT_FETCH_WITH_CLI=true CARGO_NET_RETRY=0 cargo run -q`,
  },
  {
    tool: 'go',
    prints: 'hello from go',
    script: ({ address }) => `
      printf 'module a\\n\\nrequire example.org/greeting v1.0.0\\n' > go.mod
      printf 'package main\\n\\nimport "example.org/greeting"\\n\\nfunc main() { println(greeting.Text) }\\n' > main.go
      GOPROXY=${address}/go GOSUMDB=off GOFLAGS=-mod=mod go run .`,
  },
];
