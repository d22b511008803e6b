import type { LabPort } from '../../hosted-pages/portal/lab/lab-port.ts'
import type { Operator } from './operator.ts'
import { wish } from './portal-port-wish.ts'

const SHOWN = 30

/** The signature lab as the portal sees it. */
export const labPortOf = ({ lab }: Operator): LabPort => ({
  examine: (organizationId, { request, call, base }) =>
    wish(async () => {
      const { reportOf } = await import('../../contracts/protocol/lab/report.ts')
      return reportOf(
        await lab.diagnose(organizationId, {
          request: call === undefined ? (request ?? '') : undefined,
          call,
          base: base === undefined ? undefined : Buffer.from(base),
        }),
      )
    }),
  refused: organizationId =>
    lab.refused(organizationId, SHOWN).map(({ callId, at, request: { method, target }, refused }) => ({
      callId,
      at,
      method,
      target: target.length > 100 ? `${target.slice(0, 99)}…` : target,
      reason: refused?.reason ?? '',
    })),
})
