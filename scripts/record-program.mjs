// `node record-program.mjs <built folder> [arguments]`: runs the program and stores its compiled code at the end.
import { join } from 'node:path';
import { recordProgram } from '../packages/shared/dist/program-loader.js';

const [node, , folder, ...args] = process.argv;
process.argv = [node, join(folder, 'main.js'), ...args];
process.once('exit', recordProgram(folder));
