import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NEVER_INSIDE = ['.git', '.assay', '.env', 'dist', 'node_modules', 'test']

const lines = readSource('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter(Boolean)
const image = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
const said = (word: string) =>
  image.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1))

test('the image runs as a numeric non-root user, and any user can write its data folder', () => {
  expect(said('USER')).toEqual([expect.stringMatching(/^[1-9]\d*(:[1-9]\d*)?$/)])
  expect(said('VOLUME')).toEqual(['/data'])
  expect(said('RUN').join()).toContain('mkdir -m 1777 /data')
})

test('the image has a health check by its own command', () => {
  const [health] = said('HEALTHCHECK')
  expect(health).toContain(' CMD node dist/bin/assay.js health || ')
  expect(Number(/--interval=(\d+)s/.exec(health ?? '')?.[1])).toBeLessThanOrEqual(5)
  expect(health).not.toContain('--start-period')
})

test('the pages port is exposed first, and the process receives signals', () => {
  expect(said('EXPOSE')).toEqual(['8080 8443'])
  expect(said('ENTRYPOINT')).toEqual([
    expect.stringMatching(/^\["node", ("--[a-z-]+(=\d+)?", )*"dist\/bin\/assay\.js"\]$/),
  ])
  expect(said('CMD')).toEqual(['["serve"]'])
})

test('Node accepts the options of the start command', () => {
  const words = JSON.parse(said('ENTRYPOINT')[0] ?? '[]') as string[]
  const options = words.filter(word => word.startsWith('--'))
  expect(options).toEqual(['--max-semi-space-size=8']) // others would void the compiled code that Node brings
  const print = 'console.log(v8.getHeapSpaceStatistics().length > 0)'
  expect(execFileSync(process.execPath, [...options, '--eval', print], { encoding: 'utf8' })).toBe('true\n')
})

test('build tools are not in the image', () => {
  expect(said('RUN').join()).not.toMatch(/apt|npm |tsc|make|gcc|python/)
  expect(said('RUN').join()).toContain('rm -rf /usr/local/lib/node_modules')
  const modules = lines.filter(line => line.startsWith('RUN npm ci') && line.includes('--omit=dev'))
  expect(modules).toHaveLength(1)
  expect(modules[0]).toMatch(/--omit=optional --ignore-scripts/)
})

test('the stage that builds installs the compiler for its platform, which is an optional package', () => {
  const { packages } = JSON.parse(readSource('package-lock.json'))
  const compiler = Object.keys(packages['node_modules/typescript-newest'].optionalDependencies)
  expect(packages[`node_modules/${compiler.find(name => name.endsWith('linux-x64'))}`].optional).toBe(true)
  const build = lines.slice(
    0,
    lines.findIndex(line => line.includes('npm run build')),
  )
  expect(build.filter(line => line.includes('npm ci'))).toEqual(['RUN npm ci --ignore-scripts'])
})

test('a build for another processor emulates only the last stage, which is of the target whatever came before', () => {
  const platforms = lines.filter(line => line.startsWith('FROM ')).map(line => / --platform=(\S+) /.exec(line)?.[1])
  expect(platforms).toEqual(['$BUILDPLATFORM', '$BUILDPLATFORM', '$TARGETPLATFORM'])
})

test('the image names the license of package.json and brings its text', () => {
  const { license } = JSON.parse(readSource('package.json'))
  expect(said('LABEL').join()).toContain(`org.opencontainers.image.licenses="${license}"`)
  expect(lines).toContain('COPY LICENSE README.md ./') // the build copies it to dist, and the image has dist
})

test('the build context holds only files of the image', () => {
  const [first, ...admitted] = readSource('.dockerignore')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
  expect(first).toBe('*')
  expect(admitted.filter(line => !line.startsWith('!') || NEVER_INSIDE.includes(line.slice(1)))).toEqual([])
  const copied = lines.flatMap(line => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
  expect(admitted.map(line => line.slice(1)).sort()).toEqual(
    [...new Set(copied.map(path => path.split('/')[0]))].sort(),
  )
})

test('the image keeps what the package does not bring, and what that needs, for its processor', () => {
  const modules = temporaryFolder()
  const put = (file: string, text = '') => {
    mkdirSync(dirname(join(modules, file)), { recursive: true })
    writeFileSync(join(modules, file), text)
  }
  const needing = (...names: string[]) => JSON.stringify({ dependencies: Object.fromEntries(names.map(n => [n, '1'])) })
  put('@a/kept/package.json', needing('needed', 'not-here'))
  put('needed/package.json', needing('@a/kept'))
  put('needed/read.js')
  put('needed/types.d.ts')
  put('better-sqlite3/package.json', '{}')
  for (const name of ['linux-x64', 'linux-arm64', 'win32-x64']) put(`better-sqlite3/prebuilds/${name}.node`)
  for (const name of ['bundled', '@a/bundled', '@b/bundled']) put(`${name}/package.json`, '{}')
  const described = join(temporaryFolder(), 'package.json')
  writeFileSync(described, needing('@a/kept', 'better-sqlite3'))
  execFileSync(process.execPath, [join(ROOT, '.ci/prune-node-modules.js'), modules, described, 'amd64'])
  const isThere = (file: string) => existsSync(join(modules, file))
  const kept = ['@a/kept', 'needed/read.js', 'better-sqlite3/prebuilds/linux-x64.node']
  const gone = [
    'needed/types.d.ts',
    'better-sqlite3/prebuilds/linux-arm64.node',
    'better-sqlite3/prebuilds/win32-x64.node',
  ]
  expect(kept.filter(file => !isThere(file))).toEqual([])
  expect([...gone, 'bundled', '@a/bundled', '@b'].filter(isThere)).toEqual([])
})

test('the files that the stage copies are enough for its build', { timeout: 120_000 }, () => {
  const folder = temporaryFolder()
  const stage = lines.slice(
    0,
    lines.findIndex(line => line.startsWith('RUN npm run build')),
  )
  const copied = stage.filter(line => line.startsWith('COPY ')).flatMap(line => line.split(' ').slice(1, -1))
  for (const path of copied) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['bin/run.js', '.ci/build.ts'], { cwd: folder, stdio: 'pipe' })
  const version = execFileSync(process.execPath, ['dist/bin/assay.js', '--version'], { cwd: folder, encoding: 'utf8' })
  expect(version).toContain(JSON.parse(readSource('package.json')).version)
})
