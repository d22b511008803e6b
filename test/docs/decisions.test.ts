import { glob, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { STATES } from '../../simulator/payments/lifecycle.ts'

const root = new URL('../../', import.meta.url)
const text = await readFile(new URL('contracts/DECISIONS.md', root), 'utf8')
const [contents = '', ...blocks] = text.split(/^## /m)

const decisions = blocks.map(block => {
  const [, id = '', title = '', clauses = ''] = /^(\S+)\n\n\*\*(.+)\*\* · (.+) · .+\n/.exec(block) ?? []
  return { id, title, clauses, block }
})

const numbered = (index: number): string => `D-${String(index + 1).padStart(2, '0')}`

/** Rows of a table, without its head, as trimmed cells. */
const rowsOf = (id: string): string[][] => {
  const { block = '' } = decisions.find(decision => decision.id === id) ?? {}
  const lines = block.split('\n').filter(line => line.startsWith('|'))
  return lines.slice(2).map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.replaceAll('`', '').trim()),
  )
}

describe('the decisions', () => {
  test('are numbered consecutively', () => {
    expect(decisions.length).toBeGreaterThan(0)
    expect(decisions.map(({ id }) => id)).toEqual(decisions.map((_, index) => numbered(index)))
  })

  test('are listed in the table of contents with their titles', () => {
    const listed = contents.split('\n').filter(line => line.startsWith('| [D-'))
    const due = decisions.map(({ id, title, clauses }) => `| [${id}](#${id.toLowerCase()}) | ${title} | ${clauses} |`)
    expect(listed).toEqual(due)
  })

  test('exist for every citation', async () => {
    const known = new Set(decisions.map(({ id }) => id))
    const unknown: string[] = []
    for await (const name of glob('{contracts,simulator,test}/**/*.{ts,js,md,yaml,yml,json}', { cwd: root.pathname })) {
      const lines = (await readFile(new URL(name, root), 'utf8')).split('\n')
      for (const [index, line] of lines.entries())
        for (const [id] of line.matchAll(/\bD-\d+\b/g)) if (!known.has(id)) unknown.push(`${name}:${index + 1} ${id}`)
    }
    expect(unknown).toEqual([])
  })

  test('D-05 is the table of states', () => {
    const states = Object.entries(STATES).map(([state, { status, stage, final }]) => [
      state,
      status,
      stage,
      final ? 'yes' : '',
    ])
    expect(rowsOf('D-05').sort()).toEqual(states.sort())
  })

  test('D-10 lists exactly the refusals whose code the document lacks', () => {
    const listed = ['4000', '4001', '4061', '4970', '4971', '8003', '8004']
    const ours = Object.values(REFUSALS).filter(({ reasonCode }) => !listed.includes(reasonCode))
    const pairs = ours.map(({ http, reasonCode }) => `${http}/${reasonCode}`)
    expect(
      rowsOf('D-10')
        .map(([, http, code]) => `${http}/${code}`)
        .sort(),
    ).toEqual(pairs.sort())
  })
})
