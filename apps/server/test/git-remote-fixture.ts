import { join } from 'node:path';
import { gitIn, type TempDir, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { type GitFixture, type GitServer, gitServer } from './git-fixture.ts';
import { type GitRemoteServer, gitRemoteServer } from './git-remote-server.ts';

/** A server, a user's empty home, and bare repositories reachable by folder or over HTTP. */
export interface RemoteFixture extends AsyncDisposable {
  server: GitServer;
  web: GitRemoteServer;
  home: TempDir;
  /** Where the bare repositories are. */
  place: TempDir;
  /** Creates one; returns its name. */
  bare(): Promise<string>;
  connected(options?: { isWeb?: boolean }): Promise<Connected>;
}

export interface Connected {
  mine: GitFixture;
  /** A clone of the same branch by another user. */
  theirs: TempRepo;
  /** Absolute path of the bare repository between them. */
  remote: string;
}

export async function remoteFixture(options: Parameters<typeof gitServer>[0] = {}): Promise<RemoteFixture> {
  const place = await tempDir();
  const home = await tempDir();
  const web = await gitRemoteServer(place.path);
  const server = await gitServer({ ...options, settings: { environment: { ...process.env, HOME: home.path } } });
  const others: TempRepo[] = [];
  let count = 0;
  const bare = async (): Promise<string> => {
    const name = `remote-${++count}.git`;
    await gitIn(place.path)('init', '-q', '--bare', '--initial-branch=main', name);
    await gitIn(join(place.path, name))('config', 'http.receivepack', 'true');
    return name;
  };
  return {
    server,
    web,
    home,
    place,
    bare,
    async connected({ isWeb = false } = {}) {
      const name = await bare();
      const remote = join(place.path, name);
      const mine = await server.fixture();
      await mine.git('remote', 'add', 'origin', isWeb ? `${web.url}/${name}` : remote);
      await mine.git('push', '-q', '-u', remote, 'main');
      await mine.git('fetch', '-q', remote, '+refs/heads/*:refs/remotes/origin/*');
      await mine.git('branch', '-q', '--set-upstream-to=origin/main');
      const theirs = await tempRepo();
      others.push(theirs);
      await theirs.git('remote', 'add', 'origin', remote);
      await theirs.git('fetch', '-q', 'origin');
      await theirs.git('reset', '-q', '--hard', 'origin/main');
      return { mine, theirs, remote };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
      for (const one of [...others, place, home]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Commits and pushes from the other clone; returns the commit. */
export async function commitTheirs({ theirs }: Connected, files: Record<string, string>): Promise<string> {
  await theirs.write(files);
  await theirs.git('add', '-A');
  await theirs.git('commit', '-qm', 'theirs');
  await theirs.git('push', '-q', 'origin', 'main');
  return theirs.git('rev-parse', 'HEAD');
}

/** Commits here; returns the commit. */
export async function commitMine({ mine }: Connected, files: Record<string, string>): Promise<string> {
  await mine.write(files);
  await mine.git('add', '-A');
  await mine.git('commit', '-qm', 'mine');
  return mine.git('rev-parse', 'HEAD');
}
