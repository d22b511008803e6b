import { expect, test } from 'vitest'
import { createIdsAndResponseVariation } from '../../simulator/startup/create-ids-and-response-variation.ts'
import { controlClient } from '../support/control-client.ts'
import { irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-of-the-operator'
const OPERATOR = { authorization: `Bearer ${TOKEN}` }

/** Secrets that a sandbox with a seed hands out, each by its name, and the id of a payment. */
const handOut = async () => {
  const simulator = await startScopedSimulator({ variety: '4711', controlToken: TOKEN })
  const ask = controlClient(simulator)
  const get = (path: string) => ask('GET', `organizations/demo-merchant/${path}`, undefined, OPERATOR)
  const post = (path: string, body: unknown) => ask('POST', `organizations/demo-merchant/${path}`, body, OPERATOR)
  const { body: made } = await post('control-tokens', { name: 'ci', role: 'act' })
  const { body: endpoint } = await post('webhooks', { url: 'http://localhost:9/webhooks' })
  const { body: rotated } = await post(`webhooks/${endpoint.endpointId}/rotate`, {})
  const { body: phone } = await post('blik/phones', {})
  const { body: inbox } = await get('inbox')
  const merchant = merchantOf(simulator, { retry: [423, 429] })
  const initiated = await merchant.initiate(irisRequestOf(merchant))
  if (!initiated.ok) throw new Error(initiated.refusal?.statusInfo?.message)
  const secrets = {
    token: made.token,
    tokenId: made.tokenId,
    endpoint: endpoint.secret,
    rotated: rotated.secret,
    inbox: inbox.secret,
    phone: phone.phoneId,
    page: initiated.body.providerDetails?.redirectUrl?.slice(-22),
  }
  for (const [name, secret] of Object.entries(secrets)) expect(`${name} ${secret}`).not.toContain('undefined')
  return { id: initiated.body.transactionId, secrets: Object.values(secrets) }
}

test('a seed repeats no secret: tokens, webhooks, phones and addresses of payment pages (D-90)', async () => {
  const [one, other] = [await handOut(), await handOut()]
  expect(other.secrets.filter(secret => one.secrets.includes(secret))).toEqual([])
  expect(other.id.slice(14)).toBe(one.id.slice(14)) // but for its time
})

test('a seed repeats the ids that are no secret, kind by kind (D-90)', async () => {
  const store = { setting: async () => undefined, saveSetting: async () => undefined } as never
  const drawn = async () => {
    const { ids } = await createIdsAndResponseVariation('4711', store)
    const repeated = [ids.uuid(), ids.orderedUuid(1), ids.ascendingNumber(), ids.blikCode(), ids.serial()]
    return { repeated, secret: [ids.secret(), ids.orderedSecret(1)] }
  }
  const [one, other] = [await drawn(), await drawn()]
  expect(other.repeated).toEqual(one.repeated)
  expect(other.secret.filter(secret => one.secret.includes(secret))).toEqual([])
})

test('the seed is shown to the operator alone, by control and on the root page', async () => {
  const simulator = await startScopedSimulator({ variety: 'build-7', controlToken: TOKEN })
  const read = async (path: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return (await fetch(simulator.pagesUrl + path, { headers })).text()
  }
  const tokens = `${simulator.pagesUrl}/control/organizations/demo-merchant/control-tokens`
  for (const path of ['/control', '/']) expect(await read(path, TOKEN)).toContain('build-7')
  for (const role of ['read', 'act', 'admin']) {
    const body = JSON.stringify({ name: role, role })
    const made = await fetch(tokens, { method: 'POST', headers: OPERATOR, body })
    const { token } = (await made.json()) as { token: string }
    for (const path of ['/control', '/']) expect([role, path, await read(path, token)].join()).not.toContain('build-7')
  }
  expect(await read('/')).not.toContain('build-7')
})
