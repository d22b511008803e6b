import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { builtPackage } from '../support/built-package.ts'

let dist: string
const built = (argv: string[]) => execFileSync(process.execPath, [join(dist, 'bin/assay.js'), ...argv]).toString()

beforeAll(async () => {
  dist = await builtPackage()
  symlinkSync(join(ROOT, 'node_modules'), join(dirname(dist), 'node_modules'))
}, 300_000)

test('every file that the built code reads is in dist', () => {
  const read: string[] = []
  const missing = globSync('**/*.js', { cwd: dist, exclude: ['node_modules/**'] }).flatMap(file => {
    const named = readFileSync(join(dist, file), 'utf8').matchAll(
      /new URL\(['"](?<name>[^'"]+)['"], (?:new URL\(['"](?<place>[^'"]+)['"], import\.meta\.url\)\.href|import\.meta\.url)\)(?!\.href)/g,
    )
    const targets = Array.from(named, ({ groups }) => {
      const place = groups?.place === undefined ? file : join(dirname(file), groups.place)
      return join(dirname(place), groups?.name ?? '')
    })
    read.push(...targets)
    return targets.filter(target => !existsSync(join(dist, target))).map(target => `${file} reads ${target}`)
  })
  expect(missing).toEqual([])
  expect(read).toContain('contracts/openapi-schemas.gen.json')
})

test('the README and the help of the package point to files of the package', () => {
  const readme = readFileSync(join(dist, 'README.md'), 'utf8')
  const linked = Array.from(readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g), ([, path = '']) => path)
  const helps = ['serve', 'certify', 'lab', 'drill'].map(command => built([command, '--help'])).join('')
  const named = helps.match(/\b(docs|examples)\/[\w./-]+\w/g) ?? []
  expect(linked.length).toBeGreaterThan(20)
  expect(named.length).toBeGreaterThan(1)
  expect([...linked, ...named].filter(path => !existsSync(join(dist, path)))).toEqual([])
})

test('the built command prints its version and its commands', () => {
  expect(built(['--version'])).toBe(`${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`)
  expect(built(['help'])).toMatch(/serve .*\n.*certify .*\n.*health /)
})

test('the built simulator starts, passes its health command, and exits with 0 on SIGTERM', {
  timeout: 90_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-built-'))
  const argv = ['serve', '--data-dir', folder, '--api-port', '0', '--pages-port', '0']
  const server = spawn(process.execPath, [join(dist, 'bin/assay.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(server, 'exit')
  try {
    const port = await pagesPort(server.stdout)
    expect(built(['health', '--pages-port', port])).toBe(`The simulator at http://127.0.0.1:${port} is healthy.\n`)
  } finally {
    server.kill('SIGTERM')
  }
  expect(await gone).toEqual([0, null])
  rmSync(folder, { recursive: true })
})

/** Leaves the output open: a process that writes into a closed one would fail by that. */
async function pagesPort(output: Readable): Promise<string> {
  let said = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk
    const port = /Pages +http:\/\/localhost:(\d+)\n/.exec(said)?.[1]
    if (port) {
      output.resume()
      return port
    }
  }
  throw new Error(`the built simulator said no address: ${said}`)
}
