import type { Attack } from './attack.ts';
import { CONTROL_FILE_ATTACKS } from './attacks-control-files.ts';

const attacks = (table: Readonly<Record<string, string>>): Attack[] =>
  Object.entries(table).map(([title, script]) => ({ title, script }));
const afterArchive = (before: string, table: Readonly<Record<string, string>>): Attack[] =>
  attacks(table).map((attack) => ({ ...attack, before }));
const inWorktree = (table: Readonly<Record<string, string>>): Attack[] =>
  attacks(table).map((attack) => ({ ...attack, isInWorktree: true }));

const WRITES = attacks({
  'writes beside the folder': 'echo x > ../beside.txt',
  'appends to a start file of the shell': 'echo x >> $HOME/.bashrc',
  'adds a key to authorized_keys': 'echo x >> $HOME/.ssh/authorized_keys',
  'adds a program that starts with the desktop':
    'mkdir -p $HOME/.config/autostart; echo x > $HOME/.config/autostart/x.desktop',
  'adds a user service': 'mkdir -p $HOME/.config/systemd/user; echo x > $HOME/.config/systemd/user/x.service',
  'puts a program on the PATH': 'mkdir -p $HOME/.local/bin; echo x > $HOME/.local/bin/git',
  'puts a program among the toolchains': 'echo x > $HOME/.cargo/bin/cargo',
  'changes what npx runs later': 'mkdir -p $HOME/.npm/_npx/1; echo x > $HOME/.npm/_npx/1/x.js',
  'changes a package in a build cache': 'echo x > $HOME/.cache/pip/wheel.whl',
  'leads a build cache elsewhere':
    'rm -rf /run/fucina-caches/.npm; ln -s $BASE/home /run/fucina-caches/.npm; echo x > $HOME/.npm/beside.txt',
  'changes a crate in the registry': 'mkdir -p $HOME/.cargo/registry; echo x > $HOME/.cargo/registry/crate',
  'changes the settings of npm': 'echo "script-shell=/x" >> $HOME/.npmrc',
  'changes the settings of git': 'git config --global core.hooksPath /x; echo x >> $HOME/.gitconfig',
  'writes into the data folder': 'echo x > $DATA/sessions.db',
  'writes another project': 'echo x > $HOME/other/.env',
  'writes through a symbolic link': 'ln -s ../beside.txt link; echo x > link',
  'writes through a linked folder': 'ln -s .. up; echo x > up/beside.txt',
  'writes through a hard link': 'ln ../beside.txt hard && echo x > hard',
  'writes through the root of its own process': 'echo x > /proc/self/root$HOME/beside.txt',
  'writes through the root of the first process': 'echo x > /proc/1/root$HOME/beside.txt',
  'writes through its working folder': 'echo x > /proc/self/cwd/../beside.txt',
  'renames the folder away': 'cd ..; mv project elsewhere && mkdir project && echo x > beside.txt',
  'mounts the disk writable': 'mount -o remount,rw / ; mount -o remount,rw,bind $HOME ; echo x > ../beside.txt',
  'mounts in a namespace of its own':
    "unshare -Urm sh -c 'mount -o remount,rw,bind / ; umount -l $HOME; echo x > ../beside.txt'",
  'leaves by chroot': "chroot /proc/1/root sh -c 'echo x > $HOME/beside.txt'",
  'enters the namespaces of another process': "nsenter -t $VICTIM -m sh -c 'echo x > $HOME/beside.txt'",
  'uses a folder another process has open': 'cd /proc/$VICTIM/cwd && echo x > beside.txt',
  'opens descriptors that were left open':
    'for f in /proc/self/fd/*; do [ -d $f/.. ] && echo x > $f/../beside.txt; done',
});

const CONTROL = attacks({
  'adds a git hook': 'echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
  'changes a git hook': 'echo x >> .git/hooks/post-commit',
  'sets fsmonitor in the repository': 'git config core.fsmonitor ./evil',
  'appends to the settings of the repository': 'printf "[core]\\n\\tfsmonitor = ./evil\\n" >> .git/config',
  'replaces the settings by renaming': 'echo x > .git/new; mv -f .git/new .git/config',
  'makes the repository anew': 'mv .git old; cp -r old .git; echo x > .git/hooks/pre-commit; echo x >> .git/config',
  'deletes the repository and starts one': 'rm -rf .git; git init -q; git config core.fsmonitor ./evil',
  'leads git to another folder': 'cp -r .git evil; echo ../evil > .git/commondir; echo x >> evil/config',
  'replaces .git by a pointer': 'rm -rf .git; cp -r .git evil; echo "gitdir: evil" > .git',
  'changes a submodule': 'mkdir -p .git/modules/m/hooks; echo x > .git/modules/m/hooks/post-checkout',
  'changes the hooks folder of the project': 'echo x > scripts/hooks/pre-push',
  'moves the folder around those hooks': 'mv scripts s; mkdir -p scripts/hooks; echo x > scripts/hooks/pre-push',
  'changes hooks of Fucina': 'mkdir -p .svc; echo x > .svc/hooks.json',
  'changes the tasks of the editor': 'echo x > .vscode/tasks.json',
  'replaces the settings folder of the editor': 'mv .vscode v; mkdir .vscode; echo x > .vscode/tasks.json',
  'adds run configurations': 'mkdir -p .idea; echo x > .idea/workspace.xml',
  'adds a workflow': 'mkdir -p .github/workflows; echo x > .github/workflows/ci.yml',
  'replaces the folder of workflows': 'mv .github g; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml',
  'adds a husky hook': 'mkdir -p .husky; echo x > .husky/pre-commit',
  'adds a direnv file': 'echo x > .envrc',
  'adds settings of another agent': 'mkdir -p .claude; echo x > .claude/settings.json',
  'adds an MCP server': 'echo x > .mcp.json',
  'adds a development container': 'mkdir -p .devcontainer; echo x > .devcontainer/devcontainer.json',
  'changes the tasks of an editor in a package': 'echo x > packages/app/.vscode/tasks.json',
  'adds run configurations to a package': 'mkdir -p packages/app/.idea; echo x > packages/app/.idea/workspace.xml',
  'moves a package away and makes it anew':
    'mv packages/app node_modules; mkdir -p packages/app/.vscode; echo x > packages/app/.vscode/tasks.json',
  'sets fsmonitor in a repository below': 'git -C packages/lib config core.fsmonitor ./evil',
  'changes a hook of a repository below': 'echo x >> packages/lib/.git/hooks/post-commit',
  'adds a repository that runs something': 'git init -q --template= a/b; git -C a/b config core.fsmonitor ./evil',
  'leads a package to another repository':
    'git init -q --template= evil; echo "gitdir: ../../evil/.git" > packages/app/.git',
  'adds settings of this working tree': 'printf "[core]\\n\\tfsmonitor = ./evil\\n" > .git/config.worktree',
  'adds a repository whose settings are a pipe': 'mkdir -p a/.git; mkfifo a/.git/config',
  'links a control file elsewhere': 'echo x > evil; ln -s evil .envrc; ln -s ../evil .vscode/launch.json',
});

const READS = attacks({
  'reads an SSH key': 'cat $HOME/.ssh/id_ed25519',
  'reads cloud credentials': 'cat $HOME/.aws/credentials',
  'reads the token of npm': 'cat $HOME/.npmrc',
  'reads the settings of Maven': 'cat $HOME/.m2/settings.xml',
  'reads the properties of Gradle': 'cat $HOME/.gradle/gradle.properties',
  'reads the token of Hugging Face': 'cat $HOME/.cache/huggingface/token',
  'reads the token of Copilot': 'cat $HOME/.config/github-copilot/hosts.json',
  'reads credentials of git': 'cat $HOME/.gitconfig $HOME/.git-credentials',
  'reads a browser profile': 'cat $HOME/.config/google-chrome/Cookies',
  'reads a chat program': 'cat $HOME/.config/Slack/storage',
  'reads the settings of Docker': 'cat $HOME/.docker/config.json',
  'reads an environment file of the home': 'cat $HOME/.env',
  'reads an environment file of another project': 'cat $HOME/other/.env',
  'reads the history of the shell': 'cat $HOME/.bash_history',
  'reads the data folder': 'cat $DATA/sessions.db',
  'searches the whole disk': 'grep -rsh -D skip SECRET- $BASE /var/lib/fucina 2>/dev/null | head -3',
  'reads the variables of another process': "tr '\\0' '\\n' < /proc/$VICTIM/environ",
  'reads the variables of every process': "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep SECRET-",
  'reads the files of another process': 'cat /proc/$VICTIM/root$HOME/.ssh/id_ed25519',
  'reads through a link': 'ln -s $HOME/.ssh keys; cat keys/id_ed25519',
  'reads temporary files of others': 'cat /tmp/$OWN-secret /var/tmp/$OWN-secret',
  'reads by file handle':
    'perl -e \'$b = pack("ii", 0, 129) . "\\0" x 128; exit(syscall(304, 3, $b, 0) >= 0 ? 0 : 1)\' && echo esc""aped',
});

const unix = (path: string): string =>
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])) and print scalar <S>' ${path}`;
const tcp = (host: string, port = '$PORT'): string => `exec 5<>/dev/tcp/${host}/${port} && head -1 <&5`;

const SOCKETS = attacks({
  'connects to an abstract socket': unix('').replace(
    'pack_sockaddr_un($ARGV[0])',
    'pack("S", 1) . "\\0" . $ENV{ABSTRACT}',
  ),
  'connects to the agent of 1Password': unix('$HOME/.1password/agent.sock'),
  'connects to rootless Docker': unix('$RUN/docker.sock'),
  'connects to Docker of the home': unix('$HOME/.docker/run/docker.sock'),
  'connects to colima': unix('$HOME/.colima/default/docker.sock'),
  'connects to the keyring': unix('$RUN/keyring/ssh'),
  'connects to the session bus': unix('$RUN/bus'),
  'connects to the GnuPG agent': unix('$RUN/gnupg/S.gpg-agent'),
  'connects to the accessibility bus': unix('$RUN/at-spi/bus_0'),
  'connects to Wayland': unix('$RUN/wayland-0'),
  'connects to a socket in the temporary folder': unix('/tmp/$OWN.sock'),
  'connects to a socket of the data folder': unix('$DATA/server.sock'),
  'connects to the port of Fucina': tcp('127.0.0.1'),
  'connects to it by name': tcp('localhost'),
  'connects to it by IPv6': tcp('::1'),
  'connects to it by the unspecified address': tcp('0.0.0.0'),
  'connects to it by the address of the machine': tcp('$LAN'),
  'connects to it by a mapped address': tcp('::ffff:127.0.0.1'),
  'opens a virtual socket of the machine': 'perl -e \'socket(S, 40, 1, 0) and print "esc", "aped"\'',
  'opens a raw packet socket': 'perl -e \'socket(S, 17, 3, 768) and print "esc", "aped"\'',
  "opens a socket of the kernel's ciphers": 'perl -e \'socket(S, 38, 5, 0) and print "esc", "aped"\'',
});

const call = (number: number, ...args: string[]): string =>
  `perl -e '$! = 0; my $r = syscall(${[number, ...args].join(', ')}); print "esc", "aped" if $r >= 0 || ($! != 1 && $! != 38)'`;

const KERNEL = attacks({
  'makes a user namespace': 'unshare -U true && echo esc""aped',
  'makes a mount namespace': 'unshare -m true && echo esc""aped',
  'makes a network namespace': 'unshare -Urn true && echo esc""aped',
  'traces a process': call(101, '16', '$ENV{VICTIM}', '0', '0'),
  'reads the memory of a process': call(310, '$ENV{VICTIM}', '0', '0', '0', '0', '0'),
  'uses a keyring of the kernel': call(250, '0', '-3', '1'),
  'loads a BPF program': call(321, '5', '0', '0'),
  'opens a userfaultfd': call(323, '1'),
  'opens an io_uring': call(425, '8', '"\\0" x 120'),
  'opens a tree to mount': call(428, '-100', '"/"', '1'),
  'opens a performance counter': call(298, '"\\0" x 112', '0', '-1', '-1', '0'),
  'types into the terminal': call(16, '0', '0x5412', '"x"'),
  'sends a signal to a process of the user': 'kill -0 $VICTIM && echo esc""aped',
  'starts more processes than a command may':
    'pipe=$(mktemp -u); mkfifo $pipe; setsid -w sh -c \'exec 3<>$0; i=0; while [ $i -lt 4500 ]; do read x <&3 & i=$((i+1)); done; echo esc""aped; kill -9 0\' $pipe; rm $pipe',
  'makes a device': 'mknod disk b 8 0 && echo esc""aped',
  'writes a setting of the kernel': 'echo core > /proc/sys/kernel/core_pattern && echo esc""aped',
  'writes to the system folder': 'echo x > /sys/kernel/uevent_helper && echo esc""aped',
  'triggers a system request': 'echo h > /proc/sysrq-trigger && echo esc""aped',
});

/** A folder that git takes for the worktree of a repository inside the folder, of which `part` leads to the home. */
const fakeWorktree = (part: string, at = 'fake'): string =>
  `rm -rf .git; mkdir -p ${at}/worktrees/w ${at}/refs/heads ${at}/objects/info; rm -rf ${at}/${part}
   mkdir -p $(dirname ${at}/${part}); ln -s $HOME ${at}/${part}; echo "gitdir: $PWD/${at}/worktrees/w" > .git
   echo $PWD/.git > ${at}/worktrees/w/gitdir; [ -e ${at}/worktrees/w/HEAD ] || echo "ref: refs/heads/x" > ${at}/worktrees/w/HEAD
   echo ../.. > ${at}/worktrees/w/commondir`;
const READ_HOME = 'cat $HOME/.ssh/id_ed25519';
const WRITE_HOME = 'echo x >> $HOME/.bashrc; echo x > $HOME/beside.txt';

/** Swaps a folder with a link as fast as it can, in the background of a command. */
const swapping = (folder: string): string =>
  `mkdir -p $(dirname ${folder}); ln -sfn $HOME swapped-link; perl -e 'my ($a, $b) = @ARGV; my $end = time + 2;
   while (time < $end) { syscall(316, -100, $a, -100, $b, 2) for 1 .. 200 }' ${folder} swapped-link &
   sleep 0.2;`;

const LINKS = [
  ...afterArchive(fakeWorktree('objects'), {
    'reads the home through the objects of a fake worktree': `${READ_HOME}; cat fake/objects/.ssh/id_ed25519`,
    'writes the home through the objects of a fake worktree': `${WRITE_HOME}; echo x > fake/objects/beside.txt`,
  }),
  ...afterArchive(fakeWorktree('reftable'), {
    'reads the home through the table of a fake worktree': `${READ_HOME}; cat fake/reftable/.ssh/id_ed25519`,
    'writes the home through the table of a fake worktree': `${WRITE_HOME}; echo x > fake/reftable/beside.txt`,
  }),
  ...afterArchive(fakeWorktree('refs/heads'), {
    'writes the home through the branches of a fake worktree': WRITE_HOME,
  }),
  ...afterArchive(fakeWorktree('logs'), { 'writes the home through the logs of a fake worktree': WRITE_HOME }),
  ...afterArchive(
    `${fakeWorktree('objects', 'a/b')}; rm -rf fake; ln -s a/b fake; echo "gitdir: $PWD/fake/worktrees/w" > .git`,
    {
      'reads the home through a fake worktree behind a link': READ_HOME,
    },
  ),
  ...afterArchive('mkdir -p $HOME/worktrees; rm -rf .git; echo "gitdir: $HOME/worktrees/w" > .git', {
    'reads the home as the repository of a worktree': READ_HOME,
  }),
  ...afterArchive('rm -rf .git; ln -s $HOME .git', {
    'reads the home through .git': `${READ_HOME}; cat .git/.ssh/id_ed25519`,
    'writes the home through .git': `${WRITE_HOME}; echo x > .git/beside.txt`,
  }),
  ...afterArchive('rm -rf .git/objects; ln -s $HOME .git/objects', {
    'reads the home through the objects of the repository': 'cat .git/objects/.ssh/id_ed25519',
  }),
  ...afterArchive('mkdir -p .git/objects/info; echo $HOME > .git/objects/info/alternates; ln -s $HOME .git/modules', {
    'writes the home through modules': 'echo x > .git/modules/beside.txt',
  }),
  ...afterArchive('rm -rf .vscode; ln -s $HOME/.ssh .vscode', {
    'reads keys through the settings folder of the editor': 'cat .vscode/id_ed25519',
  }),
  ...afterArchive('git config core.hooksPath $HOME/.ssh; ln -s $HOME/.ssh hooks-link', {
    'reads keys through the folder of hooks': 'cat $HOME/.ssh/id_ed25519 hooks-link/id_ed25519',
  }),
  ...afterArchive('rm -rf .github/workflows; ln -s $HOME .github/workflows', {
    'writes the home through the folder of workflows': 'echo x > .github/workflows/beside.txt',
  }),
  ...afterArchive('ln -s $DATA .idea; ln -s $DATA .claude', {
    'reads the data folder through settings folders': 'cat .idea/sessions.db .claude/sessions.db',
  }),
  ...attacks({ 'makes a hard link to a key': 'ln $HOME/.ssh/id_ed25519 own-key && cat own-key' }),
];

const CACHE_LINKS = attacks({
  'puts a link to the home into a cache':
    'rm -rf $HOME/.npm/x; ln -s $BASE/home $HOME/.npm/x; cat $HOME/.npm/x/.ssh/id_ed25519',
  'replaces a cache by a link to the data folder':
    'rm -rf $HOME/.nuget; ln -s $DATA $HOME/.nuget; cat $HOME/.nuget/sessions.db',
  'leads the folder of temporary files elsewhere': 'rmdir /tmp; ln -s $DATA /tmp/data; cat /tmp/data/sessions.db',
  'leaves a link where the next command has its cache':
    'rm -rf /run/fucina-caches/.cargo; ln -s $HOME/.ssh /run/fucina-caches/.cargo; cat $HOME/.cargo/id_ed25519',
});

const SWAPS = attacks({
  'swaps its repository with a link to the home': `${swapping('.git')} cat .git/.ssh/id_ed25519; wait`,
  'swaps a new repository with a link to the home': `${swapping('a/.git')} cat a/.git/.ssh/id_ed25519; echo x > a/.git/beside.txt; wait`,
  'swaps a new settings folder with a link to the home': `${swapping('b/.vscode')} cat b/.vscode/.ssh/id_ed25519; wait`,
});

const DESCRIPTORS = attacks({
  'reads a key through a descriptor that a shell left open':
    'for f in /proc/self/fd/*; do cat $f$HOME/.ssh/id_ed25519; done',
  'writes through a descriptor that a shell left open':
    'for f in /proc/self/fd/*; do echo x > $f$HOME/beside.txt; done',
  'changes into a folder that a shell left open': 'cd /proc/self/fd/200 && cat .$HOME/.ssh/id_ed25519',
  'reads through the descriptors of the first process': 'for f in /proc/1/fd/*; do cat $f$HOME/.ssh/id_ed25519; done',
  'asks through the descriptor of its gate':
    'for n in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$n ] && echo "esc""aped $n"; done',
});

const FOLDER_SOCKETS = attacks({
  'connects to a socket in the folder': unix('outside.sock'),
  'connects to a socket in the folder through a link': `ln -s outside.sock other; ${unix('other')}`,
  'connects to a socket in the folder through a hard link': `ln outside.sock hard; ${unix('hard')}`,
  'moves a socket in the folder out of its cover': `mv outside.sock moved; ${unix('moved')}; ${unix('outside.sock')}`,
});

const REPOSITORY = inWorktree({
  'deletes other branches of the main repository':
    'git branch -D main other loose; rm -f $MAIN/.git/refs/heads/{main,other,loose}',
  'moves another branch of the main repository':
    'git update-ref refs/heads/loose HEAD~1; git branch -f other HEAD~1; echo $(git rev-parse HEAD~1) > $MAIN/.git/refs/heads/main',
  'renames the folder of branches': 'mv $MAIN/.git/refs/heads $MAIN/.git/refs/gone; mv $MAIN/.git/refs $MAIN/.git/gone',
  'deletes the objects of the main repository': 'chmod -R u+w $MAIN/.git/objects; rm -rf $MAIN/.git/objects/*',
  'empties the packs of the main repository': 'cd $MAIN/.git/objects/pack; chmod u+w *; for f in *; do : > $f; done',
  'moves the packs of the main repository away':
    'cd $MAIN/.git/objects; for f in pack/*; do mv $f gone; done; mv pack gone; mkdir pack',
  'puts a link in the place of the packs': 'cd $MAIN/.git/objects; rm -rf pack; ln -s $HOME/.ssh pack',
  'prunes the objects of other branches':
    'git -c gc.packRefs=false gc -q --prune=now; git repack -adq; git prune-packed',
  'writes a pack through a hard link':
    'for f in $MAIN/.git/objects/pack/*; do ln $f hard; chmod u+w hard; : > hard; rm -f hard; done',
  'deletes a tag of the main repository': 'git tag -d v1; rm -f $MAIN/.git/refs/tags/v1',
  'empties the packed references':
    ': > $MAIN/.git/packed-refs; rm -f $MAIN/.git/packed-refs; mv $MAIN/.git/packed-refs x',
  'sets another branch as that of the main repository':
    'echo "ref: refs/heads/side" > $MAIN/.git/HEAD; git --git-dir=$MAIN/.git symbolic-ref HEAD refs/heads/side',
  'sets a program in the settings of the main repository':
    'git config core.fsmonitor ./evil; echo "[core] fsmonitor = ./evil" >> $MAIN/.git/config',
  'adds a hook to the main repository': 'mkdir -p $MAIN/.git/hooks; echo x > $MAIN/.git/hooks/post-commit',
  'names another store for the objects of the main repository':
    'mkdir -p $MAIN/.git/objects/info; echo $HOME > $MAIN/.git/objects/info/alternates',
  'leads the main repository to other settings':
    'echo ../evil > $MAIN/.git/commondir; echo x > $MAIN/.git/config.worktree',
  'changes a file of the main worktree': 'echo x > $MAIN/first',
  'deletes the log of the main repository': 'rm -f $MAIN/.git/logs/HEAD; : > $MAIN/.git/logs/HEAD',
  'leads the log of its branch to the home':
    'ln -sf $HOME/.bashrc $MAIN/.git/logs/refs/heads/side; git commit -q --allow-empty -m x',
});

/** Where a rule denies reading `denied.env`. */
const MASKS = [
  ...attacks({
    'reads a denied file': 'cat denied.env deep/denied.env',
    'reads a denied file by searching and packing its folder':
      'grep -rhs SECRET- .; tar c . | tar xO; cp -r . /tmp/copy; cat /tmp/copy/denied.env',
    'reads a denied file through a new link': 'ln -s denied.env link; cat link',
    'reads a denied file through a hard link': 'ln denied.env hard; cat hard',
    'renames a denied file': 'mv denied.env other; cat other; mv deep new; cat new/denied.env',
    'deletes and unmounts the mask of a denied file':
      'umount $PWD/denied.env; rm -f denied.env; git stash -aq; cat denied.env',
    'reads a denied file through the root of its process':
      'cat /proc/self/root$PWD/denied.env /proc/1/root$PWD/denied.env /proc/self/cwd/denied.env',
    'stores a denied file in the repository':
      'git add -f denied.env; git show :denied.env; git hash-object -w denied.env | xargs git cat-file -p',
    'swaps the folder of a denied file':
      'mkdir x; perl -e \'syscall(316, -100, "deep", -100, "x", 2)\'; cat x/denied.env deep/denied.env',
    'makes the mask of a denied file writable': 'mount -o remount,rw denied.env; chmod 777 denied.env; cat denied.env',
  }),
  ...afterArchive('ln -s denied.env there; ln -s deep/denied.env DENIED.ENV', {
    'reads a denied file through a link that was there': 'cat there DENIED.ENV',
  }),
  ...afterArchive('mv deep elsewhere; ln -s elsewhere deep', {
    'reads a denied file in a folder behind a link': 'cat deep/denied.env elsewhere/denied.env',
  }),
  ...afterArchive('mv denied.env Denied.ENV', { 'reads a denied file whose name differs in case': 'cat Denied.ENV' }),
];

export const ATTACKS: readonly Attack[] = [
  ...WRITES,
  ...CONTROL,
  ...READS,
  ...SOCKETS,
  ...KERNEL,
  ...LINKS,
  ...CACHE_LINKS,
  ...SWAPS,
  ...DESCRIPTORS,
  ...FOLDER_SOCKETS,
  ...REPOSITORY,
  ...MASKS,
  ...CONTROL_FILE_ATTACKS,
];
