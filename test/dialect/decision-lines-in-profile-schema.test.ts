import { describe, expect, test } from 'vitest'
import schema from '../../contracts/harness/profile/profile.schema.json' with { type: 'json' }
import { readDecisions } from '../../contracts/read-decisions-table.ts'

type Node = { properties?: Record<string, Node> }

/** Lines that say what was decided, one row each. */
const LINES = readDecisions().flatMap(({ number, switch: choices }) =>
  choices && 'line' in choices ? choices.line.split(', ').map(line => [number, line] as const) : [],
)

describe('a decision that another line of a profile says', () => {
  test.each(LINES)('%s: %s is a line that a profile may have', (_number, line) => {
    const node = line.split('.').reduce<Node | undefined>((part, name) => part?.properties?.[name], schema as Node)
    expect(node).toBeDefined()
  })
})
