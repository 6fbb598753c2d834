import { expect, test } from '@jest/globals';
import { isControlFile } from './control-files.ts';

const CONTROL = `
  .git/config .git/hooks/pre-commit .GIT/config sub/.git/HEAD .git .svc/hooks.json .svc/library/x a/.svc/y .husky/pre-push
  .github/workflows/ci.yml .github/actions/x/action.yml .gitlab-ci.yml .vscode/tasks.json .VSCode/Settings.json .idea/x.xml
  .envrc .mcp.json sub/.mcp.json .bashrc ../.zshrc ../../.ssh/config .npmrc Jenkinsfile .git./config .g\u200cit/config GIT~1/config
  x.code-workspace a/Team.Code-Workspace .zed/tasks.json .agents/skills/x/SKILL.md .codex/config.toml .config/git/hooks/x .gdbinit .bash_aliases
  .pre-commit-config.yaml .gitattributes .cargo/config.toml .circleci/config.yml .git\\hooks\\x .ＧＩＴ/config
  /home/x/.config/fucina/settings.json ../.config/Fucina/projects/a.json /etc/xdg/trusted-folders.json
  .devcontainer.json .devcontainer/Dockerfile a/.devcontainer/x/devcontainer.json lefthook.yml .lefthook.toml lefthook-local.json
  .lefthook/pre-commit/x.sh .lintstagedrc.mjs lint-staged.config.ts .forgejo/workflows/a.yml .gitea/workflows/a.yaml .gitea/actions/x
  .woodpecker.yaml .woodpecker/x.yml .drone.yml .drone.star azure-pipelines.yaml .azure-pipelines/x.yml .hg/hgrc .HG/HGRC .hgrc
  mise.toml .mise.local.toml .mise/tasks/x .config/mise/config.toml opencode.json .opencode/plugin/x.ts .qwen/settings.json
  .kiro/hooks/x .continue/config.yaml .continuerc.json .goose/x .config/goose/config.yaml .aider.conf.yml .cline/x cline_mcp_settings.json
  .clinerules/hooks/x .helix/languages.toml x.sublime-project a/My.Sublime-Project .nvim.lua .nvimrc .exrc .nvim/x.lua .config/nvim/init.lua
  .yarn/sdks/typescript/bin/tsc .yarn/releases/yarn.cjs .yarnrc.yml .pnp.cjs .pnp.loader.mjs
`;
const ORDINARY = `
  README.md src/git/config.ts .gitignore .github/CODEOWNERS .vscode/notes.md AGENTS.md package.json svc/hooks.json git/hooks/x
  .env src/settings.json tasks.json .gitkeep docs/.git-notes.md .hg/store/data/x .hg/dirstate .yarn/cache/x.zip .yarn/unplugged/x lefthook.md lint-staged.config
  src/mise.ts goose.md .forgejo/issue_template/x.md .gitea/notes.md opencode.md .config/app/x.toml pnp.cjs mise.toml.bak
`;

test.each(CONTROL.trim().split(/\s+/))('%s is a control file', (path) => expect(isControlFile(path)).toBe(true));
test.each(ORDINARY.trim().split(/\s+/))('%s is not a control file', (path) => expect(isControlFile(path)).toBe(false));
