import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { Config } from '../../simulator/options/options.ts'
import { statusAndCode } from '../support/api-response-checks.ts'
import { type RawRequestParts, withHeader } from '../support/create-signed-raw-request.ts'
import type { RawResponse } from '../support/raw-http.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox, tokenForm } from '../support/raw-request-sandbox.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type More = { config?: Partial<Config>; versions?: readonly ServiceVersion[] }

/** Starts a sandbox with decisions chosen otherwise, by a profile file; closed with the test. */
const openWith = async (decisions: Partial<DecisionChoices>, more: More = {}): Promise<RawSandbox> => {
  const dialect = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(dialect, stringify({ decisions }))
  const sandbox = await openRawSandbox({
    config: { ...more.config, dialect },
    ...(more.versions ? { parts: { versions: more.versions } } : {}),
  })
  onTestFinished(async () => {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  })
  return sandbox
}

const call = async (sandbox: RawSandbox, parts: RawRequestParts): Promise<RawResponse> =>
  sandbox.send(await sandbox.sign(parts))

/** Status of a response, with the reasonCode where it is a refusal. */
const told = (answer: RawResponse): string => (answer.status < 300 ? `${answer.status}` : statusAndCode(answer))

const FORM = { target: '/auth/token', contentType: 'application/x-www-form-urlencoded' }

describe('D-57: a client_id that is not the certificate’s', () => {
  test.each([
    ['403', '403/4971'],
    ['401', '401/4970'],
  ] as const)('%s: %s', async (value, answer) => {
    const sandbox = await openWith({ 'D-57': value })
    for (const clientId of ['nobody', sandbox.other.kit.clientId]) {
      const body = tokenForm({ ...sandbox.demo.kit, clientId })
      expect(told(await call(sandbox, { ...FORM, body }))).toBe(answer)
    }
  })
})

describe('D-55: an unknown scope', () => {
  test.each([
    ['refused', '400/4000', undefined],
    ['ignored', '200', 'payments:read payments:process'],
  ] as const)('%s: %s', async (value, answer, scope) => {
    const sandbox = await openWith({ 'D-55': value })
    const body = tokenForm(sandbox.demo.kit, 'payments:process payments:invented')
    const issued = await call(sandbox, { ...FORM, body })
    expect(told(issued)).toBe(answer)
    expect((issued.json() as { scope?: string }).scope).toBe(scope)
  })
})

describe('D-56: the scope of the list of providers', () => {
  test.each([
    ['read-for-providers', '200'],
    ['process-for-providers', '403/4971'],
  ] as const)('%s: with payments:read alone %s', async (value, answer) => {
    const sandbox = await openWith({ 'D-56': value })
    const issued = await call(sandbox, { ...FORM, body: tokenForm(sandbox.demo.kit, 'payments:read') })
    const { access_token: token } = issued.json() as { access_token: string }
    expect(told(await call(sandbox, { target: '/payments/search', body: {}, token }))).toBe('200')
    expect(told(await call(sandbox, { target: '/payments/providers', body: {}, token }))).toBe(answer)
    expect(told(await call(sandbox, { target: '/payments/providers', body: {} }))).toBe('200')
  })
})

const VERSIONS: readonly ServiceVersion[] = ['1.0', '1.2', '2.0'].map(version => ({
  version,
  stable: version === '2.0',
  adds: {},
}))

describe('D-68: a Service-Version that is not served', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['refused',      { '1.0': '200 1.0', '1.9': '400/4000 2.0', '3.0': '400/4000 2.0', one: '400/4000 2.0' }],
    ['newest-below', { '1.0': '200 1.0', '1.1': '200 1.0', '1.9': '200 1.2', '0.9': '400/4000 2.0', '3.0': '400/4000 2.0', one: '400/4000 2.0' }],
    ['ignored',      { '1.0': '200 2.0', '1.9': '200 2.0', '3.0': '200 2.0', one: '200 2.0' }],
  ] as const)('%s: status and version by the version that was asked for', async (value, expected) => {
    const sandbox = await openWith({ 'D-68': value }, { versions: VERSIONS })
    const answers = Object.keys(expected).map(async version => {
      const message = withHeader(await sandbox.sign({ target: '/payments/search', body: {} }), 'Service-Version', version)
      const answer = await sandbox.send(message)
      return [version, `${told(answer)} ${answer.header('service-version')}`]
    })
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected)
  })
})

describe('D-72: a sandbox-only call in production', () => {
  test.each([
    ['404', '404/4000'],
    ['403', '403/4971'],
  ] as const)('%s: %s; any other unknown endpoint is 404/4000', async (value, answer) => {
    const sandbox = await openWith({ 'D-72': value }, { config: { environment: 'production' } })
    expect(told(await call(sandbox, { target: '/mock/set', body: {} }))).toBe(answer)
    expect(told(await call(sandbox, { target: '/mock/get', body: {} }))).toBe('404/4000')
    expect(told(await call(sandbox, { method: 'GET', target: '/mock/set' }))).toBe('404/4000')
  })
})

describe('D-46: an unknown request field', () => {
  test.each([
    ['ignored', '200'],
    ['400', '400/4000'],
  ] as const)('%s: %s; metadata may have any', async (value, answer) => {
    const sandbox = await openWith({ 'D-46': value })
    const { payerDetails, paymentDetails } = irisInitiateBody()
    expect(told(await call(sandbox, { body: irisInitiateBody({ metadata: { colour: 'blue' } }) }))).toBe('200')
    for (const [field, change] of Object.entries({
      colour: { colour: 'blue' },
      'payerDetails.hat': { payerDetails: { ...payerDetails, hat: {} } },
      'paymentDetails.__proto__': { paymentDetails: { ...paymentDetails, ['__proto__']: 1 } },
    })) {
      const refused = await call(sandbox, { body: irisInitiateBody(change) })
      expect([field, told(refused)]).toEqual([field, answer])
      if (answer !== '200') expect(Object.keys((refused.json() as { fields: object }).fields)).toEqual([field])
    }
    expect(told(await call(sandbox, { target: '/payments/search', body: { limit: 1, page: 2 } }))).toBe(answer)
  })
})

describe('D-44: what initiate requires', () => {
  const { processingAccountId: _, ...accountless } = irisInitiateBody()
  const { description: __, ...undescribed } = irisInitiateBody().paymentDetails
  test.each([
    ['required', '400/4000', '400/4000'],
    ['optional-account', '200', '400/4000'],
    ['optional-description', '400/4000', '200'],
  ] as const)('%s: without an account %s, without a description %s', async (value, withoutAccount, withoutText) => {
    const sandbox = await openWith({ 'D-44': value })
    const bare = await call(sandbox, { body: accountless })
    expect(told(bare)).toBe(withoutAccount)
    if (bare.status === 200) expect(bare.json()).toMatchObject({ processingAccountId: 'demo-merchant-account-1' })
    expect(told(await call(sandbox, { body: irisInitiateBody({ paymentDetails: undescribed }) }))).toBe(withoutText)
    expect(told(await call(sandbox, { body: irisInitiateBody({ paymentDetails: [] }) }))).toBe('400/4000')
  })
})

describe('D-47: a capture without paymentDetails', () => {
  test.each([
    ['required', '400/4000'],
    ['optional', '404/4001'],
  ] as const)('%s: %s', async (value, answer) => {
    const sandbox = await openWith({ 'D-47': value })
    const body = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'c', transactionId: 'nobody' }
    expect(told(await call(sandbox, { target: '/payments/capture', body }))).toBe(answer)
    expect(told(await call(sandbox, { target: '/payments/capture', body: { ...body, paymentDetails: {} } }))).toBe(
      '404/4001',
    )
  })
})

describe('D-110: a returnUrl that is no address', () => {
  test.each([
    ['address', '400/4000'],
    ['any-text', '200'],
  ] as const)('%s: %s', async (value, answer) => {
    const sandbox = await openWith({ 'D-110': value })
    for (const returnUrl of ['back to the shop', 'javascript:alert(1)'])
      expect(told(await call(sandbox, { body: irisInitiateBody({ returnUrl }) }))).toBe(answer)
    for (const returnUrl of ['', 'x'.repeat(2049), 5, undefined])
      expect(told(await call(sandbox, { body: irisInitiateBody({ returnUrl }) }))).toBe('400/4000')
  })

  test('any-text: the shopper stays on the page, which links to nothing', async () => {
    const sandbox = await openWith({ 'D-110': 'any-text' })
    const begun = await call(sandbox, { body: irisInitiateBody({ returnUrl: 'javascript:alert(1)' }) })
    const { providerDetails } = begun.json() as { providerDetails: { redirectUrl: string } }
    const page = `${sandbox.simulator.pagesUrl}${new URL(providerDetails.redirectUrl).pathname}`
    const body = new URLSearchParams({ action: 'approve' })
    const decided = await fetch(`${page}/banks/elaia/accounts/current`, { method: 'POST', redirect: 'manual', body })
    expect([decided.status, decided.headers.get('location')]).toEqual([303, new URL(page).pathname])
    expect(await (await fetch(page)).text()).not.toContain('javascript')
  })
})

describe('D-80: a mock with steps that are unknown or forbidden', () => {
  const mock = (more: object) => ({
    target: '/mock/set',
    body: {
      processingAccountId: 'demo-merchant-account-1',
      key: { type: 'PAYER_ID', value: 'payer-1' },
      scenario: 'OK',
      ...more,
    },
  })
  test.each([
    ['refused', '400/4000'],
    ['ignored', '200'],
  ] as const)('%s: %s', async (value, answer) => {
    const sandbox = await openWith({ 'D-80': value })
    const send = async (more: object) => told(await call(sandbox, mock(more)))
    expect(await send({ type: 'MOCK', steps: { settle: { status: 'APPROVED' } } })).toBe(answer)
    expect(await send({ type: 'PASSTHROUGH', steps: { capture: {} }, data: { qrCode: 'x' } })).toBe(answer)
    expect(await send({ type: 'MOCK', steps: { capture: { status: 'DECLINED' } } })).toBe('200')
    expect(await send({ type: 'MOCK', steps: 'none' })).toBe('400/4000')
  })
})
