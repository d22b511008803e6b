import type { CapabilitiesPort } from '../../hosted-pages/portal/port.ts'
import { CAPABILITIES, type Capability } from '../payments/capabilities.ts'
import { METHODS } from './account-capabilities.ts'
import type { Operator } from './operator.ts'
import { wish } from './portal-port-wish.ts'

const ROWS = Object.entries(CAPABILITIES) as [Capability, (typeof CAPABILITIES)[Capability]][]

/** What methods can do on accounts, as the portal sees it (1, D-77). */
export const capabilitiesPortOf = ({ capabilities }: Operator): CapabilitiesPort => ({
  methods: METHODS,
  of: async (organizationId, accountId) => {
    const { capabilities: able } = await capabilities.of(organizationId, accountId)
    return ROWS.map(([capability, usual]) => ({
      capability,
      able: Object.fromEntries(
        METHODS.map(method => [method, { now: able[method]?.[capability] === true, usual: usual[method] }]),
      ),
    }))
  },
  /** Only what is otherwise than usual is kept. */
  set: (organizationId, accountId, able) =>
    wish(async () => {
      const otherwise = (method: (typeof METHODS)[number]) =>
        ROWS.map(([name, usual]) => [name, able?.includes(`${method}.${name}`), usual[method]] as const)
          .filter(([, now, usual]) => now !== usual)
          .map(([name, now]) => [name, now])
      const wanted = able
        ? Object.fromEntries(METHODS.map(method => [method, Object.fromEntries(otherwise(method))]))
        : {}
      return (await capabilities.set(organizationId, accountId, wanted)).processingAccountId
    }),
})
