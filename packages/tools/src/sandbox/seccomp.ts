/** A filter for system calls: what no build or test needs, and what would help a command out of its sandbox. */

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

/** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET, and TIME where the call can take it. */
const NEW_NAMESPACES = 0x7e02_0000;
const NEW_TIME = 0x80;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. AF_VSOCK, AF_PACKET and AF_ALG are not held by a network namespace, or not needed. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

interface Machine {
  /** AUDIT_ARCH_… */
  audit: number;
  /** Numbers from here on belong to another interface of the same machine (x32). */
  limit?: number;
  clone: number;
  clone3: number;
  unshare: number;
  socket: number;
  ioctl: number;
  /** Numbers of the calls that fail with EPERM. */
  refused: readonly number[];
}

/** Same numbers everywhere: io_uring, the new mount calls, pidfd_getfd, process_madvise, quotactl_fd. */
const NEWER = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442, 443, 467];

/** Names in the order of the numbers: see `refused` of each machine. Source: the kernel's syscall tables. */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000_003e,
    limit: 0x4000_0000,
    clone: 56,
    clone3: 435,
    unshare: 272,
    socket: 41,
    ioctl: 16,
    refused: [
      101, // ptrace
      103, // syslog
      ...[153, 154, 155, 156], // vhangup, modify_ldt, pivot_root, _sysctl
      ...[159, 161, 163, 164, 165, 166], // adjtimex, chroot, acct, settimeofday, mount, umount2
      ...[167, 168, 169, 170, 171, 172, 173], // swapon, swapoff, reboot, sethostname, setdomainname, iopl, ioperm
      ...[174, 175, 176, 179, 180], // create_module, init_module, delete_module, quotactl, nfsservctl
      ...[212, 227, 246, 248, 249, 250], // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl
      ...[298, 300, 304, 305, 308], // perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime, setns
      ...[310, 311, 313, 320, 321, 323], // process_vm_readv, process_vm_writev, finit_module, kexec_file_load, bpf, userfaultfd
    ],
  },
  arm64: {
    audit: 0xc000_00b7,
    clone: 220,
    clone3: 435,
    unshare: 97,
    socket: 198,
    ioctl: 29,
    refused: [
      ...[18, 39, 40, 41, 42, 51, 58, 60], // lookup_dcookie, umount2, mount, pivot_root, nfsservctl, chroot, vhangup, quotactl
      ...[89, 104, 105, 106, 112, 116, 117], // acct, kexec_load, init_module, delete_module, clock_settime, syslog, ptrace
      ...[142, 161, 162, 170, 171], // reboot, sethostname, setdomainname, settimeofday, adjtimex
      ...[217, 218, 219, 224, 225], // add_key, request_key, keyctl, swapon, swapoff
      ...[241, 262, 265, 266, 268], // perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime, setns
      ...[270, 271, 273, 280, 282, 294], // process_vm_readv, process_vm_writev, finit_module, bpf, userfaultfd, kexec_file_load
    ],
  },
};

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/** The program as `bwrap --seccomp` reads it; undefined for a machine whose numbers are not known here. */
export function systemCallFilter(architecture: NodeJS.Architecture = process.arch): Buffer | undefined {
  const machine = MACHINES[architecture];
  return machine && assemble(programFor(machine));
}

function programFor({ audit, limit, clone, clone3, unshare, socket, ioctl, refused }: Machine): Instruction[] {
  return [
    [LOAD, ARCHITECTURE],
    [JUMP_IF_EQUAL, audit, 1, 0],
    [RETURN, KILL_PROCESS],
    [LOAD, NUMBER],
    ...(limit === undefined ? [] : whenAtLeast(limit, failWith(EPERM))),
    // Its flags lie in memory, where no filter can look: libraries fall back to clone.
    ...whenEqual(clone3, failWith(ENOSYS)),
    ...[...refused, ...NEWER].flatMap((number) => whenEqual(number, failWith(EPERM))),
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
