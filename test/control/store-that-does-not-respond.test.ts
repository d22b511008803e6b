import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createPagesHandler } from '../../simulator/startup/create-pages-and-control-handler.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const SENTENCE = 'The sandbox or its database is not ready: try again once GET /ready is 200.'

test('while the store does not respond, control answers 503 in JSON', async () => {
  const { controlPlane } = await startScopedSimulator()
  const failing = async () => Promise.reject(new Error('no connection'))
  for (const isKnown of [false, true]) {
    const reported: unknown[] = []
    const parts = {
      config: { apiUrl: undefined, pagesUrl: undefined, tlsNames: [] },
      isReady: async () => false,
      noteUse: isKnown ? undefined : () => undefined,
      token: {
        shownBy: () => 'right',
        permits: failing,
        accessOf: async () => 'operator',
        isWanted: true,
        userOf: () => undefined,
      },
      controlPlane: { ...controlPlane, organizations: { ...controlPlane.organizations, require: failing } },
      onError: (error: unknown) => reported.push(error),
    }
    const handler = createPagesHandler(parts as unknown as Parameters<typeof createPagesHandler>[0])
    const server = createServer((incoming, outgoing) => void handler(incoming, outgoing)).listen(0)
    onTestFinished(() => void server.close())
    const here = `http://localhost:${(server.address() as AddressInfo).port}`
    const response = await fetch(`${here}/control/organizations/demo-merchant/clock`, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([503, { error: SENTENCE }])
    expect(reported).toHaveLength(1)
  }
})
