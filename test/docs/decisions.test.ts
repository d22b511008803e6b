import { glob, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { type Decision, parseDecisions, readDecisions } from '../../contracts/read-decisions-table.ts'
import { STATES } from '../../simulator/payments/lifecycle.ts'

const root = new URL('../../', import.meta.url)
const decisions = readDecisions()

/** Rows of the table of a decision, without code marks. */
const rowsOf = (number: string): string[][] =>
  decisions
    .find(decision => decision.number === number)
    ?.table?.rows.map(cells => cells.map(cell => cell.replaceAll('`', ''))) ?? []

describe('the decisions', () => {
  test('are numbered consecutively', () => {
    const numbered = decisions.map((_, index) => `D-${String(index + 1).padStart(2, '0')}`)
    expect(decisions.map(({ number }) => number)).toEqual(numbered)
  })

  test('are listed with their titles in the table of contents, each with a section', async () => {
    const page = await readFile(new URL('contracts/DECISIONS.md', root), 'utf8')
    const [contents = '', ...sections] = page.split(/^## /m)
    const links = decisions.map(({ number }) => `[${number}](#${number.toLowerCase()})`)
    const due = decisions.map(({ title, clauses }, index) => `| ${links[index]} | ${title} | ${clauses.join(', ')} |`)
    expect(contents.split('\n').filter(line => line.startsWith('| [D-'))).toEqual(due)
    const begin = ({ number, title, clauses }: Decision) => `${number}\n\n**${title}** · ${clauses.join(', ')} · `
    expect(sections).toEqual(decisions.map(decision => expect.stringContaining(begin(decision))))
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['a member is missing',   { why: undefined },   /^contracts\/decisions\.yaml: decisions\.0\.why is missing\.$/],
    ['a number is none',      { number: 'one' },    /decisions\.0\.number must be a number such as D-05, not "one"\.$/],
    ['a member is not known', { deadline: 'soon' }, /decisions\.0\.deadline is not known here\.$/],
    ['a clause is no text',   { clauses: [7.1] },   /decisions\.0\.clauses\.0 must be a text, not 7\.1\.$/],
  ])('are refused with the place where %s', (_what, members, sentence) => {
    expect(() => parseDecisions(stringify({ decisions: [{ ...decisions[0], ...members }] }))).toThrow(sentence)
  })

  test('exist for every citation', async () => {
    const known = new Set(decisions.map(({ number }) => number))
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
    const listed = ['3001', '4000', '4001', '4061', '4970', '4971', '8003', '8004']
    const ours = Object.values(REFUSALS).filter(({ reasonCode }) => !listed.includes(reasonCode))
    const pairs = ours.map(({ http, reasonCode }) => `${http}/${reasonCode}`)
    expect(
      rowsOf('D-10')
        .map(([, http, code]) => `${http}/${code}`)
        .sort(),
    ).toEqual(pairs.sort())
  })
})
