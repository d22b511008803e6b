import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { type RawRequestParts, withHeader } from '../support/create-signed-raw-request.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

const opened: RawSandbox[] = []
const open = async (versions?: readonly ServiceVersion[]) => {
  const sandbox = await openRawSandbox(versions ? { parts: { versions } } : {})
  opened.push(sandbox)
  return sandbox
}

afterAll(async () => {
  for (const sandbox of opened) {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  }
})

const call = async (sandbox: RawSandbox, parts: RawRequestParts, version?: string) => {
  const message = await sandbox.sign(parts)
  return sandbox.send(version === undefined ? message : withHeader(message, 'Service-Version', version))
}

describe('9: Service-Version', () => {
  let sandbox: RawSandbox
  beforeAll(async () => {
    sandbox = await open()
  })

  test('D-60, D-68: the stable version is the default, and every response names its version', async () => {
    for (const version of [undefined, '1.0']) {
      const answer = await call(sandbox, { body: irisInitiateBody() }, version)
      await expectServed(answer, sandbox.keySet)
      expect(answer.header('service-version')).toBe('1.0')
    }
    for (const target of ['/.well-known/jwks.json', '/nowhere', '/payments/x/status', `/${'x'.repeat(20_000)}`])
      expect([target.slice(0, 30), (await call(sandbox, { target })).header('service-version')]).toEqual([
        target.slice(0, 30),
        '1.0',
      ])
  })

  test.each(['1', 'one', 'v1.0', '1.0.0', '01.0', '1.00', '1.', '.0', '1,0', '-1.0', '', '99999.0', '١.٠', '1.0, 1.0'])(
    'D-68: %j is malformed: 400/4000 with its field',
    async version => {
      const answer = await call(sandbox, { body: irisInitiateBody() }, Buffer.from(version).toString('latin1'))
      const { fields } = await expectRefusal(answer, sandbox.keySet, '400/4000')
      expect(fields).toEqual({ 'Service-Version': 'must be MAJOR.MINOR: there is 1.0' })
      expect(answer.header('service-version')).toBe('1.0')
    },
  )

  test.each(['2.0', '0.9', '1.1', '1.7'])(
    'D-68: %s is not served: 400/4000 with the served versions',
    async version => {
      const { fields } = await expectRefusal(
        await call(sandbox, { body: irisInitiateBody() }, version),
        sandbox.keySet,
        '400/4000',
      )
      expect(fields).toEqual({ 'Service-Version': 'is not served: there is 1.0' })
    },
  )

  test('D-68: is checked on the token call, and ignored on the key set', async () => {
    const form = { target: '/auth/token', contentType: 'application/x-www-form-urlencoded', body: 'x=y' }
    const { fields } = await expectRefusal(await call(sandbox, form, '2.0'), sandbox.keySet, '400/4000')
    expect(fields).toHaveProperty('Service-Version')
    await expectServed(await call(sandbox, { target: '/.well-known/jwks.json' }, '2.0'), sandbox.keySet)
  })

  test('5, D-13: is checked after the security layers, before idempotency key and body', async () => {
    await expectRefusal(
      await call(sandbox, { body: irisInitiateBody(), token: 'x' }, '2.0'),
      sandbox.keySet,
      '401/4970',
    )
    const { fields } = await expectRefusal(await call(sandbox, { body: {} }, '2.0'), sandbox.keySet, '400/4000')
    expect(Object.keys(fields ?? {})).toEqual(['Service-Version'])
  })

  test('D-61: sent twice is refused', async () => {
    const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Service-Version', '1.0', '1.0')
    const { statusInfo } = await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
    expect(statusInfo.message).toContain('service-version')
  })
})

describe('9, D-69: a second minor version', () => {
  const ADDED = { status: ['lifecycle'], events: ['timeline.lifecycle', 'lifecycle.stage'], initiate: ['metadata'] }
  const started = async (sandbox: RawSandbox) => {
    const body = irisInitiateBody({ metadata: { basket: '7' } })
    const { transactionId } = await expectServed(await call(sandbox, { body }), sandbox.keySet)
    return String(transactionId)
  }
  const asked = async (sandbox: RawSandbox, target: string, version?: string) => {
    const answer = await call(sandbox, { target }, version)
    return { body: await expectServed(answer, sandbox.keySet), version: answer.header('service-version') }
  }

  test('adds optional members to responses for clients that request it', async () => {
    const sandbox = await open([
      { version: '1.0', stable: true, adds: {} },
      { version: '1.1', stable: true, adds: ADDED },
    ])
    const id = await started(sandbox)
    const [older, newer] = [
      await asked(sandbox, `/payments/${id}/status`, '1.0'),
      await asked(sandbox, `/payments/${id}/status`, '1.1'),
    ]
    const { lifecycle, ...rest } = newer.body
    expect(lifecycle).toMatchObject({ state: 'AWAITING_SHOPPER' })
    expect(older).toEqual({ body: rest, version: '1.0' })
    expect(await asked(sandbox, `/payments/${id}/status`)).toEqual({ ...newer, version: '1.1' })

    const events = (await asked(sandbox, `/payments/${id}/events`, '1.0')).body
    const full = (await asked(sandbox, `/payments/${id}/events`, '1.1')).body
    expect(full).toMatchObject({
      timeline: [{ lifecycle: { state: 'AWAITING_SHOPPER' } }],
      lifecycle: { stage: 'initiation' },
    })
    expect(events.timeline).toEqual([expect.not.objectContaining({ lifecycle: expect.anything() })])
    expect(events.lifecycle).toEqual(expect.not.objectContaining({ stage: expect.anything() }))
  })

  test('that is not stable is served only when requested', async () => {
    const sandbox = await open([
      { version: '1.0', stable: true, adds: {} },
      { version: '1.1', stable: false, adds: ADDED },
      { version: '2.0', stable: false, adds: { status: ['transactionId'] } },
    ])
    const target = `/payments/${await started(sandbox)}/status`
    const told = await asked(sandbox, target)
    expect(told.version).toBe('1.0')
    expect(told.body).not.toHaveProperty('lifecycle')
    expect(told.body).toHaveProperty('transactionId')
    expect((await asked(sandbox, target, '1.1')).body).toHaveProperty('lifecycle')
  })

  test('I3: a replay has the members of the requested version', async () => {
    const sandbox = await open([
      { version: '1.0', stable: true, adds: {} },
      { version: '1.1', stable: true, adds: ADDED },
    ])
    const parts = { body: irisInitiateBody({ metadata: { basket: '7' } }), key: 'same-key' }
    const first = await call(sandbox, parts, '1.0')
    const again = await call(sandbox, parts, '1.1')
    const third = await call(sandbox, parts, '1.0')
    expect([first, again, third].map(answer => answer.header('idempotency-replayed'))).toEqual([
      undefined,
      'true',
      'true',
    ])
    expect(await expectServed(again, sandbox.keySet)).toMatchObject({ metadata: { basket: '7' } })
    expect(await expectServed(first, sandbox.keySet)).not.toHaveProperty('metadata')
    expect(third.body).toEqual(first.body)
  })
})
