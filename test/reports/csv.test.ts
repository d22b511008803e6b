import { describe, expect, test } from 'vitest'
import { calculateSandboxFee } from '../../simulator/reports/daily-report-types-and-sandbox-fee.ts'
import { toCsv } from '../../simulator/support/csv.ts'
import { parseCsvRows } from '../support/parse-csv.ts'

// biome-ignore format: a table reads by its columns
const CELLS: [cell: string | number, written: string][] = [
  ['plain text',          'plain text'],
  ['',                    ''],
  [' kept as it is ',     ' kept as it is '],
  ['a,b',                 '"a,b"'],
  ['say "hi"',            '"say ""hi"""'],
  ['two\r\nlines',        '"two\r\nlines"'],
  ['one\nmore',           '"one\nmore"'],
  ['Zażółć 🦆',           'Zażółć 🦆'],
  [-700,                  '-700'],
  [99_999_999_999,        '99999999999'],
  ['=1+1',                "'=1+1"],
  ['+48 600',             "'+48 600"],
  ['-1',                  '-1'],
  ['-1.25',               '-1.25'],
  ['-1+1',                "'-1+1"],
  ['+1',                  "'+1"],
  ['@SUM(A1)',            "'@SUM(A1)"],
  ['\tx',                 "'\tx"],
  ['\rx',                 '"\'\rx"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ["'quoted",             "''quoted"],
  ['1=1',                 '1=1'],
]

describe('D-78: CSV', () => {
  test.each(CELLS)('%j is written %j', (cell, written) => {
    expect(toCsv(['a', 'b'], [[cell, 'x']])).toBe(`a,b\r\n${written},x\r\n`)
  })

  test('every text survives writing and parsing', () => {
    const texts = CELLS.map(([cell]) => cell).filter(cell => typeof cell === 'string')
    const [, ...rows] = parseCsvRows(
      toCsv(
        ['text'],
        texts.map(text => [text]),
      ),
    )
    expect(rows.map(([text = '']) => text.replace(/^'/, ''))).toEqual(texts)
  })

  test('without rows only the header is written', () => {
    expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n')
  })
})

// biome-ignore format: a table reads by its columns
test.each([
  [1,                         25],
  [41,                        25],  // 0.492
  [42,                        26],  // 0.504
  [125,                       27],  // 1.5, rounded up
  [1000,                      37],
  [99_999_999_999, 1_200_000_025],
])('D-76: the fee of a capture of %i is %i', (captured, fee) => {
  expect(calculateSandboxFee(captured)).toBe(fee)
})
