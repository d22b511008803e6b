import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import { formatDuration } from '../duration.ts'
import { ARMED } from '../operator/faults.ts'
import { MOCK_MEMBERS } from '../operator/mocks.ts'
import type { Operator } from '../operator/operator.ts'
import { readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** What providers do wrong on request, and what merchants have set for themselves by /mock/set (2.7). */
export const addFaultRoutes = (control: Hono, { operator, known }: Parts): void => {
  const faults = '/organizations/:organizationId/faults'

  control.post(faults, async c => {
    const organizationId = await known(c)
    return c.json(faultBody(await operator.faults.arm(organizationId, await readObject(c, ARMED))), 201)
  })
  control.get(faults, async c => c.json({ faults: (await operator.faults.list(await known(c))).map(faultBody) }))
  control.delete(faults, async c => c.json({ disarmed: await operator.faults.clear(await known(c)) }))

  const mocks = '/organizations/:organizationId/mocks'
  control.get(mocks, async c => c.json({ mocks: (await operator.mocks.list(await known(c))).map(mockBody) }))
  control.post(mocks, async c => {
    const organizationId = await known(c)
    return c.json(mockBody(await operator.mocks.set(organizationId, await readObject(c, MOCK_MEMBERS))), 201)
  })
}

type Mock = Awaited<ReturnType<Operator['mocks']['set']>>

const mockBody = ({ setAt, expiresAt, ...mock }: Mock) => ({
  ...mock,
  setAt: isoTime(setAt),
  expiresAt: isoTime(expiresAt),
})

type Armed = Awaited<ReturnType<Operator['faults']['arm']>>

const faultBody = ({ after, ...fault }: Armed) => ({
  ...fault,
  ...(after === undefined ? {} : { after: formatDuration(after) }),
})
