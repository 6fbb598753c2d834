import type { Environment } from '@fucina/shared';

const NO_SSH = 'Fucina blocks git over ssh in the sandbox: use an https remote, or run the command with Full access.';

/**
 * The proxy variables for programs. `ALL_PROXY` is HTTP, too: some programs fail on a SOCKS address that they do not
 * support.
 */
export function proxyVariables(port: number): Environment {
  const proxy = `http://127.0.0.1:${port}`;
  const none = 'localhost,127.0.0.1,::1';
  const java = ['http', 'https'].flatMap((kind) => [`-D${kind}.proxyHost=127.0.0.1`, `-D${kind}.proxyPort=${port}`]);
  return {
    ...bothCases({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: none }),
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    GRADLE_OPTS: java.join(' '),
    MAVEN_OPTS: java.join(' '),
    GIT_SSH_COMMAND: `sh -c 'echo "${NO_SSH}" >&2; exit 1'`,
    GIT_SSH_VARIANT: 'ssh',
  };
}

function bothCases(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  );
}
