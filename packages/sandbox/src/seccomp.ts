/**
 * A filter of system calls: those that no build or test needs, and that would help a command escape from its sandbox.
 */

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_SET = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const failWith = (errno: number): number => 0x0005_0000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in the kernel's `seccomp_data`; the low half of an argument on a little-endian machine. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET, and TIME where the call accepts it. */
const NEW_NAMESPACES = 0x7e02_0000;
const NEW_TIME = 0x80;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/**
 * AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. AF_VSOCK, AF_PACKET and AF_ALG are not confined by a network namespace, or
 * not needed.
 */
const SOCKET_FAMILIES = [1, 2, 10, 16];

interface Machine {
  /** AUDIT_ARCH_… */
  audit: number;
  /** Higher numbers belong to another ABI of the same machine (x32). */
  limit?: number;
  clone: number;
  clone3: number;
  unshare: number;
  socket: number;
  ioctl: number;
}

const MACHINES = {
  x64: { audit: 0xc000_003e, limit: 0x4000_0000, clone: 56, clone3: 435, unshare: 272, socket: 41, ioctl: 16 },
  arm64: { audit: 0xc000_00b7, clone: 220, clone3: 435, unshare: 97, socket: 198, ioctl: 29 },
} as const satisfies Partial<Record<NodeJS.Architecture, Machine>>;

type Known = keyof typeof MACHINES;

/** Numbers of the calls that fail with EPERM. Source: the kernel's syscall tables. */
const REFUSED: Readonly<Record<string, Partial<Record<Known, number>>>> = {
  // Other processes.
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  process_madvise: { x64: 440, arm64: 440 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  // Mounts and namespaces.
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  setns: { x64: 308, arm64: 268 },
  open_tree: { x64: 428, arm64: 428 },
  open_tree_attr: { x64: 467, arm64: 467 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  // Kernel subsystems with a history of vulnerabilities that no build needs.
  bpf: { x64: 321, arm64: 280 },
  userfaultfd: { x64: 323, arm64: 282 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  perf_event_open: { x64: 298, arm64: 241 },
  fanotify_init: { x64: 300, arm64: 262 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  // The whole machine.
  reboot: { x64: 169, arm64: 142 },
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  create_module: { x64: 174 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  acct: { x64: 163, arm64: 89 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  nfsservctl: { x64: 180, arm64: 42 },
  syslog: { x64: 103, arm64: 116 },
  vhangup: { x64: 153, arm64: 58 },
  _sysctl: { x64: 156 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 },
  modify_ldt: { x64: 154 },
  sethostname: { x64: 170, arm64: 161 },
  setdomainname: { x64: 171, arm64: 162 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  adjtimex: { x64: 159, arm64: 171 },
  clock_adjtime: { x64: 305, arm64: 266 },
};

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/** The program for `bwrap --seccomp`; undefined for an architecture whose numbers are not listed here. */
export function systemCallFilter(architecture: NodeJS.Architecture = process.arch): Buffer | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const refused = Object.values(REFUSED).flatMap((numbers) => numbers[architecture] ?? []);
  return assemble(programFor(MACHINES[architecture], refused));
}

function programFor(machine: Machine, refused: readonly number[]): Instruction[] {
  const { audit, limit, clone, clone3, unshare, socket, ioctl } = machine;
  return [
    [LOAD, ARCHITECTURE],
    [JUMP_IF_EQUAL, audit, 1, 0],
    [RETURN, KILL_PROCESS],
    [LOAD, NUMBER],
    ...(limit === undefined ? [] : whenAtLeast(limit, failWith(EPERM))),
    // Its flags are in memory, where a filter cannot read them: libraries fall back to clone.
    ...whenEqual(clone3, failWith(ENOSYS)),
    ...refused.flatMap((number) => whenEqual(number, failWith(EPERM))),
    ...whenCalled(clone, [
      [LOAD, argument(0)],
      [JUMP_IF_SET, NEW_NAMESPACES, 0, 1],
      [RETURN, failWith(EPERM)],
    ]),
    ...whenCalled(unshare, [
      [LOAD, argument(0)],
      [JUMP_IF_SET, NEW_NAMESPACES | NEW_TIME, 0, 1],
      [RETURN, failWith(EPERM)],
    ]),
    ...whenCalled(ioctl, [
      [LOAD, argument(1)],
      ...whenEqual(TIOCSTI, failWith(EPERM)),
      ...whenEqual(TIOCLINUX, failWith(EPERM)),
    ]),
    ...whenCalled(socket, [
      [LOAD, argument(0)],
      ...SOCKET_FAMILIES.flatMap((family) => whenEqual(family, ALLOW)),
      [RETURN, failWith(EAFNOSUPPORT)],
    ]),
    [RETURN, ALLOW],
  ];
}

const whenEqual = (value: number, verdict: number): Instruction[] => [
  [JUMP_IF_EQUAL, value, 0, 1],
  [RETURN, verdict],
];

const whenAtLeast = (value: number, verdict: number): Instruction[] => [
  [JUMP_IF_AT_LEAST, value, 0, 1],
  [RETURN, verdict],
];

/** Steps that replace the loaded number: after them the call is allowed. */
const whenCalled = (number: number, steps: readonly Instruction[]): Instruction[] => [
  [JUMP_IF_EQUAL, number, 0, steps.length + 1],
  ...steps,
  [RETURN, ALLOW],
];

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, value, ifTrue = 0, ifFalse = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
