/** Ten type errors in a TypeScript and ten in a Python project: the text with the error, and the right one. */
const pair = (name, wrong, right) => ({ name, wrong: `${wrong}\n`, right: `${right}\n` });

export const TYPESCRIPT_ERRORS = [
  pair('assign', 'export const total: number = "12";', 'export const total: number = 12;'),
  pair('argument', 'export const half = Math.floor("3");', 'export const half = Math.floor(3);'),
  pair('property', 'export const size = [1, 2].lenght;', 'export const size = [1, 2].length;'),
  pair('import', "export { user } from './base.ts';", "export { userName } from './base.ts';"),
  pair(
    'missing',
    "import type { User } from './base.ts';\nexport const ann: User = { name: 'Ann' };",
    "import type { User } from './base.ts';\nexport const ann: User = { name: 'Ann', age: 30 };",
  ),
  pair(
    'null',
    'export const first = (list: string[]): string => list.find(Boolean).trim();',
    "export const first = (list: string[]): string => (list.find(Boolean) ?? '').trim();",
  ),
  pair(
    'return',
    'export function twice(n: number): string {\n  return n * 2;\n}',
    'export function twice(n: number): string {\n  return String(n * 2);\n}',
  ),
  pair(
    'await',
    "export async function read(): Promise<number> {\n  return 'text';\n}",
    'export async function read(): Promise<number> {\n  return 1;\n}',
  ),
  pair(
    'count',
    "import { greet } from './base.ts';\nexport const hello = greet('Ann');",
    "import { greet } from './base.ts';\nexport const hello = greet('Ann', 2);",
  ),
  pair(
    'union',
    "import type { Level } from './base.ts';\nexport const level: Level = 'medium';",
    "import type { Level } from './base.ts';\nexport const level: Level = 'low';",
  ),
];

export const TYPESCRIPT_BASE = `export interface User {
  name: string;
  age: number;
}
export type Level = 'low' | 'high';
export const userName = (user: User): string => user.name;
export const greet = (name: string, times: number): string => name.repeat(times);
`;

export const PYTHON_ERRORS = [
  pair('assign', 'total: int = "12"', 'total: int = 12'),
  pair('argument', 'half = len(3)', 'half = len("abc")'),
  pair('attribute', 'size = [1, 2].lenght', 'size = len([1, 2])'),
  pair('imported', 'from base import user\n\nname = user', 'from base import user_name\n\nname = user_name'),
  pair(
    'missing',
    'from base import User\n\nann = User(name="Ann")',
    'from base import User\n\nann = User(name="Ann", age=30)',
  ),
  pair(
    'optional',
    'import re\n\nfirst = re.match("a", "b").group()',
    'import re\n\nfound = re.match("a", "b")\nfirst = found.group() if found else ""',
  ),
  pair('returned', 'def twice(n: int) -> str:\n    return n * 2', 'def twice(n: int) -> str:\n    return str(n * 2)'),
  pair('undefined', 'def read() -> int:\n    return valeu', 'def read(value: int) -> int:\n    return value'),
  pair('count', 'from base import greet\n\nhello = greet("Ann")', 'from base import greet\n\nhello = greet("Ann", 2)'),
  pair(
    'literal',
    'from base import Level\n\nlevel: Level = "medium"',
    'from base import Level\n\nlevel: Level = "low"',
  ),
];

export const PYTHON_BASE = `from dataclasses import dataclass
from typing import Literal

Level = Literal["low", "high"]


@dataclass
class User:
    name: str
    age: int


def user_name(user: User) -> str:
    return user.name


def greet(name: str, times: int) -> str:
    return name * times
`;
