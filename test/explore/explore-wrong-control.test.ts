import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { toReplayFile } from '../../contracts/explore/replay-file.ts'
import { startCertifyProcess } from '../conformance/run-certify-child-process.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONTROL_TOKEN = 'a-control-token-of-this-test'
const TOKEN = { token: 'env:CONTROL_TOKEN_OF_EXPLORE_TEST' }

let simulator: TestSimulator
beforeAll(async () => {
  vi.stubEnv('CONTROL_TOKEN_OF_EXPLORE_TEST', CONTROL_TOKEN)
  simulator = await startTestSimulator({ controlToken: CONTROL_TOKEN })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await simulator.stop()
})

/** Options of a target with this control address, and these further lines of control. */
const targetBy = (url: string, control: object): string[] => {
  const profile = join(temporaryFolder(), 'profile.yaml')
  const lines = parse(readFileSync(SIMULATOR_PROFILE, 'utf8')) as object
  writeFileSync(profile, stringify({ ...lines, control: { url, ...control } }))
  return ['--profile', profile, '--base-url', simulator.apiUrl, '--kit', simulator.kitFolder]
}

const exploreBy = (url: string, control: object, ...argv: string[]) =>
  runCertifyInProcess('explore', ...targetBy(url, control), ...argv)

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const wrong: [what: string, url: () => string | Promise<string>, control: object, sentence: RegExp][] = [
  ['nobody listens at', () => 'http://127.0.0.1:1', TOKEN, /answered nothing: is control\.url of the profile right\?/],
  ['is that of the API', () => simulator.apiUrl, TOKEN, /answered nothing: is control\.url of the profile right\?/],
  ['is that of a page', () => `${simulator.pagesUrl}/portal`, TOKEN, /answered 4\d\d: is control\.url of the profile/],
  ['takes another token', () => simulator.pagesUrl, {}, /answered 401: is control\.token of the profile right\?/],
]

test.each(wrong)(
  'a control address that %s ends explore and --replay with a sentence',
  async (_, url, control, sentence) => {
    const at = await url()
    const file = join(temporaryFolder(), 'sequence.json')
    writeFileSync(
      file,
      toReplayFile([
        { id: 's1', do: 'initiate', method: 'IRIS' },
        { id: 's2', do: 'pass', time: 'PT6S' },
      ]),
    )
    for (const argv of [
      ['--calls', '20'],
      ['--replay', file],
    ]) {
      const { code, out, err } = await exploreBy(at, control, ...argv)
      expect([code, out, err]).toEqual([3, '', expect.stringMatching(sentence)])
      expect(err).toMatch(/^\S.*[.?]\n$/)
    }
  },
)

test('a control address that is that of another service ends explore with a sentence', async () => {
  const at = await serve((request, response) => request.resume().on('end', () => response.end('<html>Hello</html>')))
  // In a process of its own, as responses of control are checked in that of a test.
  const { told } = startCertifyProcess('explore', ...targetBy(at, {}), '--calls', '20')
  expect(await told).toMatchObject({
    code: 3,
    err: expect.stringMatching(/answered 200 without JSON: is control\.url of the profile right\?\n$/),
  })
})

test('a control address that vanishes ends the exploration with what was visited', async () => {
  let isGone = false
  const control = await serve(async (request, response) => {
    if (isGone) return response.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '', headers } = request
    const { authorization = '', 'content-type': type } = headers
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(simulator.pagesUrl + url, {
      method,
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...body,
    })
    if (url.endsWith('/clock')) isGone = true
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    return undefined
  })
  const report = join(temporaryFolder(), 'found')
  const { code, out, err } = await exploreBy(control, TOKEN, '--calls', '100000', '--report', report)
  expect([code, err]).toEqual([5, ''])
  expect(out).toMatch(
    /^Seed 1: [1-9]\d* calls .* no violation\. Stopped early: \w+ http.* answered nothing: is control\.url of the profile right\?\n/,
  )
  expect(existsSync(join(report, 'transitions.csv'))).toBe(true)
})
