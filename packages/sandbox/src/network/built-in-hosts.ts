/**
 * Public hosts of package managers and git, for fetching. Sandboxed commands and page reading may reach them on ports 80
 * and 443 unless a rule says otherwise. Hosts that serve an interface for writing (api.github.com, uploads.github.com,
 * gist.github.com, central.sonatype.com) are not listed: they are asked for.
 */
const HOSTS = `
  # npm, yarn, pnpm, JSR, Deno, Bun
  registry.npmjs.org registry.yarnpkg.com repo.yarnpkg.com yarnpkg.com npm.jsr.io jsr.io deno.land dl.deno.land esm.sh
  unpkg.com cdn.jsdelivr.net cdnjs.cloudflare.com bun.sh
  # Node.js and Electron downloads
  nodejs.org *.nodejs.org electronjs.org *.electronjs.org
  # Browsers for tests
  cdn.playwright.dev playwright.download.prss.microsoft.com
  # Python
  pypi.org files.pythonhosted.org *.pythonhosted.org bootstrap.pypa.io www.python.org conda.anaconda.org
  repo.anaconda.com download.pytorch.org astral.sh
  # Rust
  crates.io static.crates.io index.crates.io static.rust-lang.org sh.rustup.rs
  # Go
  proxy.golang.org sum.golang.org index.golang.org golang.org go.dev dl.google.com gopkg.in
  # Java, Kotlin, Scala, Android
  repo.maven.apache.org repo1.maven.org maven.google.com plugins.gradle.org plugins-artifacts.gradle.org
  services.gradle.org downloads.gradle.org repo.gradle.org repo.spring.io repo.scala-sbt.org jitpack.io
  # .NET
  api.nuget.org www.nuget.org globalcdn.nuget.org dotnetcli.azureedge.net builds.dotnet.microsoft.com
  # Ruby
  rubygems.org index.rubygems.org cache.ruby-lang.org
  # PHP
  packagist.org repo.packagist.org getcomposer.org
  # Dart, Elixir, Haskell, Perl, R, Lua, Swift, Nix
  pub.dev storage.flutter-io.cn hex.pm repo.hex.pm builds.hex.pm hackage.haskell.org www.stackage.org cpan.org
  www.cpan.org cpan.metacpan.org cran.r-project.org cloud.r-project.org luarocks.org swift.org download.swift.org
  cache.nixos.org channels.nixos.org
  # Debian, Ubuntu, Alpine, Fedora, Arch, Homebrew
  deb.debian.org security.debian.org snapshot.debian.org ftp.debian.org archive.ubuntu.com *.archive.ubuntu.com
  security.ubuntu.com ports.ubuntu.com dl-cdn.alpinelinux.org mirrors.fedoraproject.org dl.fedoraproject.org
  geo.mirror.pkgbuild.com formulae.brew.sh
  # GitHub
  github.com codeload.github.com raw.githubusercontent.com objects.githubusercontent.com
  release-assets.githubusercontent.com github-releases.githubusercontent.com media.githubusercontent.com
  github-cloud.githubusercontent.com pkg-containers.githubusercontent.com npm.pkg.github.com maven.pkg.github.com ghcr.io
  # GitLab, Bitbucket, Codeberg, sourcehut
  gitlab.com registry.gitlab.com bitbucket.org codeberg.org git.sr.ht
  # Container registries
  registry-1.docker.io auth.docker.io production.cloudflare.docker.com index.docker.io quay.io cdn.quay.io gcr.io
  registry.k8s.io mcr.microsoft.com public.ecr.aws
  # Models and data sets
  huggingface.co cdn-lfs.huggingface.co cdn-lfs.hf.co cdn-lfs-us-1.hf.co cas-bridge.xethub.hf.co
`;

/** Names, and `*.` before a domain for every name under it. */
export const BUILT_IN_HOSTS: readonly string[] = HOSTS.split('\n')
  .filter((line) => !line.trim().startsWith('#'))
  .flatMap((line) => line.split(/\s+/))
  .filter((name) => name !== '');

const exact = new Set(BUILT_IN_HOSTS);
const domains = BUILT_IN_HOSTS.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));

export function isBuiltInHost({ host, port }: { host: string; port: number }): boolean {
  if (port !== 443 && port !== 80) return false;
  return exact.has(host) || domains.some((domain) => host.endsWith(domain));
}
