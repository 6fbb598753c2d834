import { expect, test } from '@jest/globals';
import { isControlFile } from './control-files.ts';

const CONTROL = `
  .git/config .git/hooks/pre-commit .GIT/config sub/.git/HEAD .git .svc/hooks.json .svc/library/x a/.svc/y .husky/pre-push
  .github/workflows/ci.yml .github/actions/x/action.yml .gitlab-ci.yml .vscode/tasks.json .VSCode/Settings.json .idea/x.xml
  .envrc .mcp.json sub/.mcp.json .bashrc ../.zshrc ../../.ssh/config .npmrc Jenkinsfile .git./config .g\u200cit/config GIT~1/config
  x.code-workspace a/Team.Code-Workspace .zed/tasks.json .agents/skills/x/SKILL.md .codex/config.toml .config/git/hooks/x .gdbinit .bash_aliases
  .pre-commit-config.yaml .gitattributes .cargo/config.toml .circleci/config.yml .git\\hooks\\x .ＧＩＴ/config
  /home/x/.config/fucina/settings.json ../.config/Fucina/projects/a.json /etc/xdg/trusted-folders.json
`;
const ORDINARY = `
  README.md src/git/config.ts .gitignore .github/CODEOWNERS .vscode/notes.md AGENTS.md package.json svc/hooks.json git/hooks/x
  .env src/settings.json tasks.json .gitkeep docs/.git-notes.md
`;

test.each(CONTROL.trim().split(/\s+/))('%s is a control file', (path) => expect(isControlFile(path)).toBe(true));
test.each(ORDINARY.trim().split(/\s+/))('%s is not a control file', (path) => expect(isControlFile(path)).toBe(false));
