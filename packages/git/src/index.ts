export { gitError } from './errors.ts';
export { createGit, type Git, type GitNeeds, type GitPortrait } from './git.ts';
