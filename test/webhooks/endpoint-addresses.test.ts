import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../simulator/options/options.ts'
import { createAllowedTargets, describeUrlProblem } from '../../simulator/webhooks/allowed-target-addresses.ts'
import { createSendWebhook } from '../../simulator/webhooks/send-webhook.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'

const DEFAULT = OPTIONS['webhook-private'].kind.parse(OPTIONS['webhook-private'].initial) ?? []

describe('webhooks to private addresses are sent only as configured', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['http://127.0.0.1/',                  'by default', true ],
    ['http://localhost.localdomain/',      'by default', true ], // a name is checked when it is resolved
    ['http://[::1]/',                      'by default', true ],
    ['http://10.1.2.3/',                   'by default', true ],
    ['http://192.168.1.2/',                'by default', true ],
    ['http://172.31.255.255/',             'by default', true ],
    ['http://[fd12::1]/',                  'by default', true ],
    ['http://[::ffff:127.0.0.1]/',         'by default', true ],
    ['http://8.8.8.8/',                    'by default', true ],
    ['http://[2606:4700::1111]/',          'by default', true ],
    ['http://169.254.169.254/latest/',     'by default', false],
    ['http://[fe80::1]/',                  'by default', false],
    ['http://0.0.0.0/',                    'by default', false],
    ['http://100.64.0.1/',                 'by default', false],
    ['http://224.0.0.1/',                  'by default', false],
    ['http://[::ffff:169.254.169.254]/',   'by default', false],
    ['http://[64:ff9b::a9fe:a9fe]/',       'by default', false],
    ['http://0xa9fea9fe/',                 'by default', false],
    ['http://192.88.99.1/',                'by default', false],
    ['http://[::ffff:0:7f00:1]/',          'public only', false],
    ['http://[5f00::1]/',                  'by default', false],
    ['http://[3fff::1]/',                  'by default', false],
    ['http://[100:0:0:1::1]/',             'by default', false],
    ['http://[4000::1]/',                  'by default', false],
    ['http://127.0.0.1/',                  'public only', false],
    ['http://2130706433/',                 'public only', false],
    ['http://127.1/',                      'public only', false],
    ['http://10.1.2.3/',                   'public only', false],
    ['http://[::1]/',                      'public only', false],
    ['http://[::ffff:10.0.0.1]/',          'public only', false],
    ['http://[fd12::1]/',                  'public only', false],
    ['http://8.8.8.8/',                    'public only', true ],
  ] as const)('%s, %s: %s', (url, configured, allowed) => {
    const targets = createAllowedTargets(configured === 'by default' ? DEFAULT : [])
    expect(targets.fault(new URL(url)) === undefined).toBe(allowed)
  })

  test('a name is checked by its address when it is called', async () => {
    const lookup = (ranges: readonly string[]) =>
      promisify<string, object, unknown>(createAllowedTargets(ranges).lookup as never)('localhost', { all: true })
    await expect(lookup([])).rejects.toThrow(
      /no public address: take .*"assay listen --forward-to URL".* --webhook-private/,
    )
    expect(await lookup(['127.0.0.0/8', '::1'])).toEqual(expect.arrayContaining([expect.anything()]))
  })

  test('a refused address gets no request, and the attempt has the reason', async () => {
    const { url, received } = await openWebhookReceiver()
    const send = createSendWebhook({ targets: createAllowedTargets([]), timeoutMilliseconds: 1_000 })
    const never = new AbortController().signal
    for (const address of [url, url.replace('127.0.0.1', 'localhost')])
      expect((await send(address, {}, '{}', never)).error).toMatch(/is no public address/)
    expect(received).toEqual([])
    const allowed = createSendWebhook({
      targets: createAllowedTargets(['127.0.0.1', '::1']),
      timeoutMilliseconds: 1_000,
    })
    expect((await allowed(url.replace('127.0.0.1', 'localhost'), {}, '{}', never)).response?.status).toBe(200)
  })

  test.each([
    'ftp://shop.example/',
    'shop.example',
    'http://',
    'javascript:alert(1)',
    'http://me:secret@shop.example/',
  ])('%s is refused as endpoint URL', url => expect(describeUrlProblem(url)).toBeDefined())
  test('one of more than 2048 characters as it is sent is refused, as each notification reads it', () => {
    const base = 'https://shop.example/'
    expect(describeUrlProblem(base.padEnd(2048, 'a'))).toBeUndefined()
    for (const url of [base.padEnd(2049, 'a'), base.padEnd(1000, 'ü')]) expect(describeUrlProblem(url)).toMatch(/2048/)
  })
  test('https and http URLs are accepted', () => {
    expect([
      describeUrlProblem('https://shop.example/hooks?a=1'),
      describeUrlProblem('http://127.0.0.1:8000/'),
    ]).toEqual([undefined, undefined])
  })
})
