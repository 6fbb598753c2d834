// npm and yarn would ignore the workspace, its catalog and its list of allowed build scripts.
if (!(process.env.npm_config_user_agent ?? '').startsWith('pnpm/')) {
  console.error(
    'This workspace is installed with pnpm. Run `npm run setup` (or `npm start`, `npm test`), which brings the pinned one.',
  );
  process.exit(1);
}
