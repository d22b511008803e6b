import type { ApiCall } from '../../../simulator/http/api-call.ts'
import type { Mutant } from './mutant.ts'
import { isCallTo, mutateServedJson, refuseCalls, requestHeader } from './mutations-of-matching-calls.ts'

const isStatus = isCallTo('status')
const names = (version: RegExp) => (call: Parameters<typeof requestHeader>[0]) =>
  isStatus(call) && version.test(requestHeader(call, 'service-version'))

/** What reads a status without a word of versions, and must be served. */
const EVERY_STATUS =
  'BLK-01 BLK-02 BLK-03 BLK-05 BLK-07 BLK-08 IRS-03 IRS-04 IRS-05 IRS-07 LIF-01 LIF-02 LIF-03 LIF-09 MAP-15 MAP-16 MAP-18 MCK-22 MTLS-01 RDS-01 RDS-08 RSP-01 SCP-08 SIG-21 TOK-16 VER-01'.split(
    ' ',
  )

const isNamed = (call: ApiCall): boolean => requestHeader(call, 'service-version') === '1.0'

// biome-ignore format: a table reads by its columns
export const VERSION_MUTANTS: readonly Mutant[] = [
  { does: 'wants a version with every status',       caughtBy: EVERY_STATUS, stopsOthers: true, mutation: refuseCalls(names(/^$/), 'FORBIDDEN') },
  { does: 'refuses its stable version',              caughtBy: ['VER-02'], mutation: refuseCalls(names(/^1\.0$/)) },
  { does: 'refuses its stable version on a search',  caughtBy: ['VER-08'], mutation: refuseCalls(call => isNamed(call) && isCallTo('search')(call)) },
  { does: 'refuses its stable version on a token call', caughtBy: ['VER-08'], mutation: refuseCalls(call => isNamed(call) && isCallTo('/auth/token')(call)) },
  { does: 'writes a named version otherwise',        caughtBy: ['VER-05'], mutation: mutateServedJson(names(/^1\.0$/), body => ({ ...body, transactionId: 1 })) },
]
