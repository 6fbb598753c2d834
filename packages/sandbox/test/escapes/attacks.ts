/**
 * Attacks of a hostile command. Each script runs in the project folder with bash. An attack succeeded if it printed the
 * secret or `escaped`, or changed a protected file. Variables: HOME, BASE (contains the home, the data folder and
 * sockets), DATA, RUN, PORT, LAN, VICTIM (a process of the user), ABSTRACT (a socket's name).
 */
export interface Attack {
  title: string;
  script: string;
}

const attacks = (table: Readonly<Record<string, string>>): Attack[] =>
  Object.entries(table).map(([title, script]) => ({ title, script }));

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

export const ATTACKS: readonly Attack[] = [...WRITES, ...CONTROL, ...READS, ...SOCKETS, ...KERNEL];
