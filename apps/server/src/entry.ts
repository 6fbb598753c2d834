import { loadProgram } from '@fucina/shared/program-loader';

loadProgram(import.meta.dirname);
