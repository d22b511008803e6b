import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { ARMED_FAULT_MEMBERS } from '../scenarios/armed-fault-registry.ts'
import { MOCK_MEMBERS } from '../scenarios/mock-registry.ts'
import { isoTime } from '../support/clock.ts'
import { formatDuration } from '../support/duration.ts'
import { readJsonMembers } from './read-request.ts'

/** Adds the routes of control for armed faults and for mocks (2.7). */
export const addFaultAndMockRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  const faults = '/organizations/:organizationId/faults'

  control.post(faults, async c => {
    return c.json(
      faultBody(await controlPlane.faults.arm(c.var.organizationId, await readJsonMembers(c, ARMED_FAULT_MEMBERS))),
      201,
    )
  })
  control.get(faults, async c =>
    c.json({ faults: (await controlPlane.faults.list(c.var.organizationId)).map(faultBody) }),
  )
  control.delete(faults, async c => c.json({ disarmed: await controlPlane.faults.clear(c.var.organizationId) }))

  const mocks = '/organizations/:organizationId/mocks'
  control.get(mocks, async c => c.json({ mocks: (await controlPlane.mocks.list(c.var.organizationId)).map(mockBody) }))
  control.post(mocks, async c => {
    return c.json(
      mockBody(await controlPlane.mocks.set(c.var.organizationId, await readJsonMembers(c, MOCK_MEMBERS))),
      201,
    )
  })
}

type Mock = Awaited<ReturnType<ControlPlaneFeatures['mocks']['set']>>

const mockBody = ({ setAt, expiresAt, ...mock }: Mock) => ({
  ...mock,
  setAt: isoTime(setAt),
  expiresAt: isoTime(expiresAt),
})

type Armed = Awaited<ReturnType<ControlPlaneFeatures['faults']['arm']>>

const faultBody = ({ after, ...fault }: Armed) => ({
  ...fault,
  ...(after === undefined ? {} : { after: formatDuration(after) }),
})
