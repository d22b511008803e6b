import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { withLine } from '../../contracts/harness/profile/edit-profile-text.ts'
import { pathInRepository, unifiedDiff } from '../../contracts/harness/report/unified-diff.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TEXT = `# Ours.
name: Ours   # as in reports

fields:
  initiate:
    transactionId: "/id"   # the provider's is elsewhere
    # The status.
    status: /status
states: { waiting: [OPEN], settled: [DONE] }
errors:
    reasonCode:
        - /a
        - /b
`

describe('a line that is set in the text of a profile', () => {
  // biome-ignore format: a table reads by its columns
  test.each<[line: string, value: unknown, expected: string]>([
    ['fields.initiate.transactionId', '/ref',  TEXT.replace('"/id"', '/ref')],
    ['states.waiting',                ['W'],   TEXT.replace('[OPEN]', '[ W ]')],
    ['states.captured',               ['C'],   TEXT.replace('{ waiting: [OPEN], settled: [DONE] }', '{ waiting: [ OPEN ], settled: [ DONE ], captured: [ C ] }')],
    ['errors.reasonCode',             '/c',    TEXT.replace('- /a\n        - /b', '/c')],
    ['fields.initiate.reasonCode',    '/why',  TEXT.replace('status: /status\n', 'status: /status\n    reasonCode: /why\n')],
    ['fields.charge.transactionId',   '/ref',  TEXT.replace('status: /status\n', 'status: /status\n  charge:\n    transactionId: /ref\n')],
    ['decisions.D-07',                '402',   `${TEXT}decisions:\n  D-07: "402"\n`],
  ])('%s: %j leaves every other line as it is', (line, value, expected) => {
    const text = withLine(TEXT, line, value)
    expect(text).toBe(expected)
    const said = line.split('.').reduce((part, name) => part[name], parse(text))
    expect(said).toEqual(value)
  })

  test('stands alone in an empty profile', () => {
    expect(parse(withLine('', 'ids.transactionId', 'number'))).toEqual({ ids: { transactionId: 'number' } })
  })
})

describe('a unified diff', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

  test('is empty where nothing differs', () => {
    expect(unifiedDiff('a.yaml', TEXT, TEXT)).toBe('')
  })

  test.each<[what: string, now: string[]]>([
    ['a changed line', lines(20).with(9, 'other')],
    ['lines at both ends', ['first', ...lines(20), 'last']],
    ['two changes that are near, and one that is far', lines(40).with(2, 'x').with(5, 'y').with(30, 'z')],
    ['lines that are gone', lines(20).slice(0, 17)],
  ])('with %s is taken by git apply', (_what, now) => {
    const folder = temporaryFolder()
    const old = lines(Math.max(20, now.length > 30 ? 40 : 20))
    writeFileSync(join(folder, 'a.yaml'), `${old.join('\n')}\n`)
    writeFileSync(join(folder, 'a.patch'), unifiedDiff('a.yaml', `${old.join('\n')}\n`, `${now.join('\n')}\n`))
    execFileSync('git', ['apply', 'a.patch'], { cwd: folder })
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(`${now.join('\n')}\n`)
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['a\nb',   'a\nc'],
    ['a\nb',   'a\nb\nc'],
    ['a\nb',   'a\nb\n'],
    ['a\nb\n', 'a\nb'],
    ['x\nb',   'a\nb'],
    ['',       'a\n'],
  ])('from %j to %j is taken by git apply', (old, now) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.yaml'), old)
    writeFileSync(join(folder, 'a.patch'), unifiedDiff('a.yaml', old, now))
    execFileSync('git', ['apply', 'a.patch'], { cwd: folder })
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(now)
  })

  test('names a file from the root of its repository, else by its name alone', () => {
    const root = temporaryFolder()
    const [inside, elsewhere] = [join(root, 'deep', 'profiles'), temporaryFolder()]
    mkdirSync(inside, { recursive: true })
    execFileSync('git', ['init', '-q'], { cwd: root })
    expect(pathInRepository(join(inside, 'ours.yaml'))).toBe('deep/profiles/ours.yaml')
    expect(pathInRepository(join(elsewhere, 'ours.yaml'))).toBe('ours.yaml')
    writeFileSync(join(inside, 'ours.yaml'), 'a\n')
    const patch = unifiedDiff(pathInRepository(join(inside, 'ours.yaml')), 'a\n', 'b\n')
    for (const [cwd, args] of [
      [root, ['apply', '-']],
      [inside, ['apply', '--reverse', '-']],
    ] as const)
      execFileSync('git', args, { cwd, input: patch })
    expect(readFileSync(join(inside, 'ours.yaml'), 'utf8')).toBe('a\n')
  })
})
