import { lineOf } from '../client/exchange.ts'
import type { SigningOptions } from '../protocol/sign.ts'
import { READINGS } from '../protocol/signature-base.ts'
import { ORDERS } from '../protocol/signature-input.ts'
import { askToken } from '../suites/vehicles.ts'
import type { World } from '../suites/world.ts'
import type { Learned } from './finding.ts'

export type Dialect = Required<Pick<SigningOptions, 'reading' | 'encoding' | 'order' | 'port'>>

/** Sixteen dialects, the document's own first (S34, C7). */
const LADDER: readonly Dialect[] = ORDERS.flatMap(order =>
  (['dropped', 'kept'] as const).flatMap(port =>
    [...READINGS]
      .reverse()
      .flatMap(reading => (['der', 'raw'] as const).map(encoding => ({ reading, encoding, order, port }))),
  ),
)

/** Asks for a token in one dialect after the other and stops at the first that is served; undefined where none is. */
export const scoutDialect = async (world: World): Promise<(Learned & { dialect: Dialect }) | undefined> => {
  for (const dialect of LADDER) {
    const exchange = await askToken(world, { signing: dialect })
    if (exchange.answer?.status !== 200) continue
    const evidence = `signed so, a token was given: ${lineOf(exchange)}`
    const found = Object.entries(dialect).map(([name, value]) => ({
      line: `dialect.${name}`,
      value,
      evidence,
      sameAs: ['SIG-01'],
    }))
    return { dialect, found, open: [] }
  }
}
