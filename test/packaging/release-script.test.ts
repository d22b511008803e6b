import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROJECT = {
  name: 'tiny',
  version: '1.2.0',
  license: 'Apache-2.0',
  scripts: { build: 'mkdir -p dist && cp package.json dist' },
}
const CHANGELOG = `# Changelog

## [Unreleased]

- what comes

## [1.2.0] - 2026-02-03

### Added

- what is new

## [1.1.0] - 2026-01-02

- what was

[Unreleased]: https://example.com/compare
`
/** Notes its arguments, and writes the archive that they name. */
const ENGINE = `#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
[ "$1 $2" != "buildx version" ] || echo "github.com/\${BUILDX:-docker/buildx} v0.30.0"
for word; do
  case $word in
    type=oci,dest=*) echo oci >"\${word#type=oci,dest=}" ;;
    docker-archive:*) file=\${word#docker-archive:}; echo docker >"\${file%%:*}" ;;
  esac
done
`

/** A committed project of one file with the release script, and container engines that only note their arguments. */
const tinyProject = (changelog = CHANGELOG) => {
  const folder = temporaryFolder()
  const bin = temporaryFolder()
  const log = join(bin, 'log')
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const run = (command: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const path = [bin, process.env.PATH].join(delimiter)
    return spawnSync(command, argv, {
      cwd: folder,
      env: { ...process.env, PATH: path, LOG: log, GIT_CONFIG_GLOBAL: '/dev/null', ...env },
      encoding: 'utf8',
    })
  }
  const git = (...argv: string[]) => run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...argv])
  for (const engine of ['docker', 'podman']) writeFileSync(join(bin, engine), ENGINE, { mode: 0o755 })
  mkdirSync(join(folder, '.ci'))
  copyFileSync(join(ROOT, '.ci/build-release.sh'), join(folder, '.ci/build-release.sh'))
  write('.ci/run', `echo the suite ran; exit "\${SUITE:-0}"\n`)
  write('package.json', JSON.stringify(PROJECT))
  write('package-lock.json', JSON.stringify({ ...PROJECT, lockfileVersion: 3, packages: { '': PROJECT } }))
  write('CHANGELOG.md', changelog)
  write('.gitignore', 'dist/\nrelease/\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'all')
  return {
    write,
    git,
    release: (argv: readonly string[] = ['--tested'], env: NodeJS.ProcessEnv = {}) =>
      run('bash', ['.ci/build-release.sh', ...argv], env),
    read: (file: string) => readFileSync(join(folder, 'release', file), 'utf8'),
    released: () => readdirSync(join(folder, 'release')).sort(),
    sums: () => spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(folder, 'release') }).status,
    engineCalls: () => readFileSync(log, 'utf8').trim().split('\n'),
  }
}

describe('the release script', () => {
  test('leaves the tarball, both images, the SBOM, the notes and sums that verify, and publishes nothing', () => {
    const project = tinyProject()
    const { status, stdout, stderr } = project.release([])
    expect(stderr).not.toContain('release:')
    expect(status).toBe(0)
    expect(stdout).toContain('the suite ran')
    const images = ['tiny-1.2.0-linux-amd64.tar', 'tiny-1.2.0-linux-arm64.tar']
    const others = ['SHA256SUMS', 'notes.md', 'tiny-1.2.0.sbom.cdx.json', 'tiny-1.2.0.tgz']
    expect(project.released()).toEqual([...images, ...others].sort())
    expect(project.sums()).toBe(0)
    expect(project.read('notes.md')).toBe('### Added\n\n- what is new\n')
    expect(JSON.parse(project.read('tiny-1.2.0.sbom.cdx.json'))).toMatchObject({ bomFormat: 'CycloneDX' })
    const builds = project.engineCalls().filter(call => call.includes(' build '))
    expect(builds).toEqual(['amd64', 'arm64'].map(arch => expect.stringContaining(`--platform linux/${arch} `)))
    expect(project.engineCalls().join()).not.toMatch(/push|login|publish/)
    expect(stdout).toMatch(/git tag --sign v1\.2\.0 .*npm publish .*skopeo copy oci-archive:.*gh release create/s)
  })

  test('builds with podman where docker has no buildx, in the format that keeps the health check', () => {
    const project = tinyProject()
    const { status, stdout } = project.release(['--tested'], { BUILDX: 'nobody' })
    expect(status).toBe(0)
    expect(stdout).not.toContain('the suite ran')
    expect(project.read('tiny-1.2.0-linux-arm64.tar')).toBe('docker\n')
    const builds = project.engineCalls().filter(call => call.startsWith('podman build '))
    const own = process.arch === 'x64' ? 'amd64' : process.arch
    expect(builds).toEqual(
      ['amd64', 'arm64'].map(arch =>
        expect.stringMatching(
          `--format docker .*BUILDPLATFORM=linux/${own} .*TARGETARCH=${arch} .*--platform linux/${arch} `,
        ),
      ),
    )
    expect(stdout).toContain('skopeo copy docker-archive:')
  })

  test.each<[string, string, (project: ReturnType<typeof tinyProject>) => void, string?]>([
    ['an uncommitted file', 'the working tree has changes', project => project.write('more', '')],
    [
      'a tag of the version on another commit',
      'v1.2.0 is another commit',
      project => {
        project.git('tag', 'v1.2.0')
        project.git('commit', '--quiet', '--allow-empty', '--message', 'more')
      },
    ],
    ['no section of the version', 'has no section "## [1.2.0]', () => {}, CHANGELOG.replace('[1.2.0]', '[1.2.1]')],
    ['an empty section', 'the section of 1.2.0', () => {}, CHANGELOG.replace(/### Added.*new\n/s, '')],
  ])('refuses %s, and builds nothing', (_, sentence, prepare, changelog) => {
    const project = tinyProject(changelog)
    prepare(project)
    const { status, stderr } = project.release()
    expect(stderr).toContain(sentence)
    expect(status).toBe(1)
    expect(project.released).toThrow('ENOENT')
  })

  test('stops where the suite fails', () => {
    const project = tinyProject()
    expect(project.release([], { SUITE: '3' }).status).toBe(3)
    expect(project.released).toThrow('ENOENT')
  })
})
