export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that programs need for their home, language and paths. None of them is a secret by nature. */
const PASSED_ON: ReadonlySet<string> = new Set(
  `
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TZ TMPDIR TMP TEMP
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CONFIG_DIRS
  JAVA_HOME JDK_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT
  GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
  NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME
  VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PIPX_HOME POETRY_HOME UV_CACHE_DIR
  GEM_HOME GEM_PATH RBENV_ROOT BUNDLE_PATH DOTNET_ROOT HOMEBREW_PREFIX NIX_PATH NIX_PROFILES
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY LD_LIBRARY_PATH PKG_CONFIG_PATH MANPATH CI
  SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA
  PROGRAMFILES PROGRAMFILES(X86) COMMONPROGRAMFILES USERPROFILE HOMEDRIVE HOMEPATH USERNAME
  NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS NPM_CONFIG_NODEDIR FUCINA_PORT_BASE
  `
    .trim()
    .split(/\s+/),
);

/** The safe part of an environment: only listed names, and no value that contains credentials in an address. */
export function withoutSecrets(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || /:\/\/[^/]*@/.test(value)) continue;
    const upper = name.toUpperCase();
    if (PASSED_ON.has(upper) || upper.startsWith('LC_')) kept[name] = value;
  }
  return kept;
}
