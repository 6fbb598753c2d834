// The least that an answer from git over HTTP takes, beside ours: a small process that runs git and answers what it prints.
// `node bare-git.mjs <folder>`; `GET /…?<arguments as JSON>`.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const server = createServer(({ url }, answer) => {
  const args = JSON.parse(decodeURIComponent(url.slice(url.indexOf('?') + 1)));
  const git = spawn('git', args, { cwd: process.argv[2], env, stdio: ['ignore', 'pipe', 'ignore'] });
  git.stdout.pipe(answer);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`));
process.once('SIGTERM', () => process.exit());
