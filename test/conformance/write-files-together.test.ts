import fs, { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finishWriting, writeFilesTogether } from '../../contracts/harness/report/write-files-together.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIRST = 'pending.json'
const NAMES = ['report.json', 'transcript.json', 'certificate.jws']
const STEPS = ['writeFileSync', 'chmodSync', 'renameSync', 'rmSync'] as const

/** Lets a process make so many changes of files, and none after them, as if it were killed then. */
const killedAfter = (changes: number, act: () => void): boolean => {
  const real = STEPS.map(name => [name, fs[name]] as const)
  const write = fs.writeFileSync
  let made = 0
  for (const [name, step] of real)
    Object.assign(fs, {
      [name]: (...args: never[]) => {
        made += 1
        if (made <= changes) return (step as (...args: never[]) => unknown)(...args)
        if (name === 'writeFileSync' && made === changes + 1) writeHalf(args)
        throw Object.assign(new Error('killed'), { code: 'KILLED' })
      },
    })
  const writeHalf = ([file, text]: string[]) => write(String(file), text?.slice(1) ?? '')
  syncBuiltinESMExports()
  try {
    act()
    return false
  } catch {
    return true
  } finally {
    Object.assign(fs, Object.fromEntries(real))
    syncBuiltinESMExports()
  }
}

const contents = (folder: string) => [FIRST, ...NAMES].map(name => readFileSync(join(folder, name), 'utf8'))

test('files written together are all as they were or all anew, wherever the process is killed', () => {
  const seen: string[] = []
  for (let changes = 0; ; changes += 1) {
    const folder = temporaryFolder()
    for (const name of [FIRST, ...NAMES]) writeFileSync(join(folder, name), `old ${name}`)
    const texts = Object.fromEntries(NAMES.map(name => [name, `new ${name}`]))
    const wasKilled = killedAfter(changes, () =>
      writeFilesTogether(folder, { name: FIRST, text: `new ${FIRST}` }, texts),
    )
    finishWriting(folder, FIRST, NAMES)
    const [word = ''] = contents(folder)[0]?.split(' ') ?? []
    expect(contents(folder), `killed after ${changes} changes`).toEqual(
      [FIRST, ...NAMES].map(name => `${word} ${name}`),
    )
    expect(readdirSync(folder).sort()).toEqual([FIRST, ...NAMES].sort())
    seen.push(word)
    if (!wasKilled) break
  }
  expect(seen.length).toBeGreaterThan(8)
  expect([seen[0], seen.at(-1)]).toEqual(['old', 'new'])
})

test('where a disk is full, files written together stay as they were', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, NAMES[0] ?? ''), 'old')
  const write = () =>
    writeFilesTogether(folder, { name: FIRST, text: 'new' }, { [NAMES[0] ?? '']: 'new', 'no/such': '' })
  expect(write).toThrow(/such cannot be written \(ENOENT\): name a folder that can be written to\.$/)
  expect([readFileSync(join(folder, NAMES[0] ?? ''), 'utf8'), readdirSync(folder)]).toEqual(['old', [NAMES[0]]])
  writeFilesTogether(folder, { name: FIRST, text: 'new' }, {})
  expect([statSync(join(folder, FIRST)).mode & 0o777, existsSync(join(folder, `${FIRST}.new`))]).toEqual([0o600, false])
})
