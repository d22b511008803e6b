import { accessTokenIn, describeExchange, isServed } from '../client/http-exchange.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { SigningOptions } from '../protocol/sign-messages.ts'
import { BASE_READINGS } from '../protocol/signature-base.ts'
import { PARAMETER_ORDERS } from '../protocol/signature-input.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { requestToken } from '../suites/given/harmless-calls.ts'
import type { ProbeResult } from './probe-findings.ts'

type SigningDialect = Required<Pick<SigningOptions, 'reading' | 'encoding' | 'order' | 'port'>>

/** The sixteen signing dialects, that of the document first (S34, C7). */
const SIGNING_DIALECTS: readonly SigningDialect[] = PARAMETER_ORDERS.flatMap(order =>
  (['dropped', 'kept'] as const).flatMap(port =>
    [...BASE_READINGS]
      .reverse()
      .flatMap(reading => (['der', 'raw'] as const).map(encoding => ({ reading, encoding, order, port }))),
  ),
)

/** The signing dialects, those that agree with the profile's lines first. */
const inOrder = ({ dialect: told = {} }: Profile): SigningDialect[] => {
  const agreement = (dialect: SigningDialect) =>
    Object.entries(told).filter(([name, value]) => dialect[name as keyof SigningDialect] === value).length
  return SIGNING_DIALECTS.toSorted((one, other) => agreement(other) - agreement(one))
}

/**
 * Learns the signing dialect of a deployment: requests a token in one after the other until one is issued; undefined
 * where none is.
 */
export const scoutSigningDialect = async (
  context: CheckContext,
): Promise<(ProbeResult & { dialect: SigningDialect }) | undefined> => {
  for (const dialect of inOrder(context.profile)) {
    const exchange = await requestToken(context, { signing: dialect })
    if (!isServed(exchange) || accessTokenIn(exchange) === undefined) continue
    const evidence = `signed so, a token was given: ${describeExchange(exchange)}`
    const found = Object.entries(dialect).map(([name, value]) => ({
      line: `dialect.${name}`,
      value,
      evidence,
      sameAs: ['SIG-01'],
    }))
    return { dialect, found, open: [] }
  }
}
