import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const initiate = async (returnUrl: string) =>
  sandbox.send(await sandbox.sign({ body: irisInitiateBody({ returnUrl }) }))

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://shop.example/x',
  'file:///etc/passwd',
  'ftp://shop.example/',
  '//evil.example/',
  '/\\evil.example',
  '/back',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'https://\\evil.example',
  'https://',
  'https://?x',
  'http://shop.example@evil.example/',
  'https://shop.example:443@evil.example/',
  'https://user:password@shop.example/',
  'https://shop.example\\@evil.example/',
  'https://shop.example%40@evil.example/',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/"onfocus="x',
  'https://shop.example/<script>',
  'https://[',
  ' https://shop.example/',
])('2.1, D-110: %j is refused as returnUrl', async returnUrl => {
  await expectRefusal(await initiate(returnUrl), sandbox.keySet, '400/4000')
})

test.each([
  'https://shop.example',
  'http://localhost:3000/back?order=1#done',
  'https://shop.example/@me?mail=me@shop.example',
  'https://[2001:db8::1]:8443/',
  "https://shop.example/it's",
])('%j is accepted as returnUrl and redirected to unchanged', async returnUrl => {
  const { providerDetails } = await expectServed(await initiate(returnUrl), sandbox.keySet)
  const { pathname } = new URL((providerDetails as { redirectUrl: string }).redirectUrl)
  const address = `${sandbox.simulator.pagesUrl}${pathname}/banks/elaia/accounts/current?to=https://evil.example&returnUrl=https://evil.example`
  const body = new URLSearchParams({ action: 'approve', returnUrl: 'https://evil.example', to: '//evil.example' })
  const { status, headers } = await fetch(address, { method: 'POST', redirect: 'manual', body })
  expect([status, headers.get('location')]).toEqual([303, returnUrl])
})
