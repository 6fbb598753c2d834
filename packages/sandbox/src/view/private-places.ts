import { join } from 'node:path';
import { type Environment, homeOf, isWithin, realPathAt } from '@fucina/shared';

/** In the home: keys, tokens and data of browsers, chat programs and shells. Builds and tests need none of it. */
const SECRETS = `
  .ssh .gnupg .password-store .aws .azure .kube .docker .git-credentials .netrc .pypirc .vault-token .pgpass .1password
  .my.cnf .terraform.d/credentials.tfrc.json .cargo/credentials .cargo/credentials.toml .gem/credentials .env
  .config/gh .config/hub .config/glab-cli .config/gcloud .config/op .config/rclone .config/sops .config/doctl
  .config/git/credentials .config/containers/auth.json .config/github-copilot .cache/huggingface/token .huggingface
  .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .npmrc .yarnrc.yml
  .local/share/keyrings .local/share/kwalletd Library/Keychains
  .claude .codex .gemini .config/opencode .local/share/opencode
  .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
  .config/opera .config/discord .config/Slack .config/Signal .config/Element .local/share/TelegramDesktop .config/Code
  .var/app/org.mozilla.firefox .var/app/com.google.Chrome .var/app/org.chromium.Chromium snap/firefox snap/chromium
  Library/Cookies Library/Safari Library/Mail Library/Messages
  Library/Application\\ Support/Google/Chrome Library/Application\\ Support/Firefox
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .lesshst
`;

/** Spaces in a name are escaped with a backslash. */
const names = (list: string): string[] =>
  list
    .trim()
    .split(/(?<!\\)\s+/)
    .map((name) => name.replaceAll('\\', ''));

/** Real paths of the existing secrets, the data folder first. */
export function privatePlaces(environment: Environment, dataDir: string): string[] {
  const home = homeOf(environment);
  const paths = [dataDir, ...names(SECRETS).map((name) => join(home, name))];
  return [...new Set(paths.map(realPathAt))].filter((path) => path !== undefined);
}

/** Secrets in a session's own folder, which may be a parent of them. */
export function secretsInside(folder: string, environment: Environment, dataDir: string): string[] {
  if (!isWithin(folder, homeOf(environment)) && !isWithin(folder, dataDir)) return [];
  const places = privatePlaces(environment, dataDir);
  return places.filter((path) => path !== folder && isWithin(folder, path));
}
