import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certifyWith } from '../../contracts/certify-in-test-runner.ts'
import { isJsonObject } from '../../contracts/protocol/canonical-json.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { outermostLayer } from './mutants/simulator-mutations.ts'
import { targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 240_000
/** Characters that follow an echoed token; a header takes fewer. */
const [MORE, MORE_IN_HEADER] = ['x'.repeat(5000), 'x'.repeat(1100)]
/** Characters of the longest line that tells of a service: what was expected, what came, and a few words. */
const LONGEST = 2500

/** Replaces the texts of a JSON body, and names a member by what is said, too. */
const withTexts = (body: unknown, said: string, isReplaced: (name: string) => boolean, name = ''): unknown => {
  if (typeof body === 'string') return isReplaced(name) ? said : body
  if (Array.isArray(body)) return body.map(item => withTexts(item, said, isReplaced, name))
  if (!isJsonObject(body)) return body
  const members = Object.entries(body).map(([key, member]) => [key, withTexts(member, said, isReplaced, key)])
  return { ...Object.fromEntries(members), [said.slice(0, 2000)]: said }
}

type Echo = (endpoint: string, http: number) => ((name: string) => boolean) | undefined

// biome-ignore format: a table reads by its columns
const ECHOES: Readonly<Record<string, Echo>> = {
  'the reasonCode and message of each refusal': (_, http) => (http >= 400 ? name => /reasonCode|message/i.test(name) : undefined),
  'the words of states and events':             path => (/status|events|search/.test(path) ? name => name !== 'transactionId' : undefined),
  'the ids of payments':                        () => name => name === 'transactionId',
  'the ids of keys':                            () => name => name === 'kid',
  'every text':                                 () => () => true,
}

let echo: Echo | undefined
/** What is echoed: the first token of a command, as it was sent. */
let first: string | undefined
const tokens = new Set<string>()
let hostile: TestSimulator

beforeAll(async () => {
  hostile = await startTestSimulator(
    {},
    outermostLayer(async (c, next) => {
      await next()
      const { incoming, outgoing } = c.env
      const { authorization } = incoming.headers
      const [token] = /[\w-]+\.[\w-]+\.[\w-]{60,}$/.exec(authorization ?? '') ?? []
      if (token !== undefined) tokens.add(token)
      first ??= authorization
      const { call } = c.var
      const isReplaced = call.reply && echo?.(incoming.url ?? '', call.reply.http)
      if (first === undefined || echo === undefined || authorization === undefined) return
      for (const name of ['x-service-version', 'location']) outgoing?.setHeader(name, first)
      outgoing?.setHeader('assay-layers', `${first} ${MORE_IN_HEADER}`)
      if (!call.reply || !isReplaced || call.reply.body.includes('access_token')) return
      const body = withTexts(JSON.parse(call.reply.body || '{}'), `${first} ${MORE}`, isReplaced)
      call.reply = { ...call.reply, body: JSON.stringify(body) }
    }),
  )
})
afterAll(() => hostile.stop())

/** The text of each file that tells of a run; the ledger must keep the ids that a clean-up needs. */
const filesIn = (folder: string): [string, string][] =>
  readdirSync(folder)
    .filter(name => name !== 'ledger.jsonl')
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8')
      return [name, name === 'certificate.jws' ? Buffer.from(text.split('.')[1] ?? '', 'base64url').toString() : text]
    })

/** Places of tokens in texts. */
const leaksIn = (texts: readonly (readonly [string, string])[]): string[] =>
  texts.flatMap(([name, text]) =>
    [...tokens].flatMap(token => {
      const at = text.indexOf(token)
      return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 100), at + 40)}`]
    }),
  )

/** Begins of the lines that are too long to be read, besides the calls as they were made. */
const longIn = (texts: readonly (readonly [string, string])[]): string[] =>
  texts
    .filter(([name]) => !/transcript|certificate|report\.html|counterexample/.test(name))
    .flatMap(([name, text]) =>
      text
        .split('\n')
        .filter(line => line.length > LONGEST && !/"(body|base64|url)":/.test(line))
        .map(line => `${name}: ${line.length} ${line.slice(0, 200)}`),
    )

test.each(Object.entries(ECHOES))(
  'a service that echoes the token in its headers and in %s brings it into no output, and no long text',
  async (_what, chosen) => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    const profile = join(other, 'scouted.yaml')
    const bare = readFileSync(SIMULATOR_PROFILE, 'utf8').replace(/^errors:[\s\S]*?^(?=states:)/m, '')
    writeFileSync(profile, bare)
    const target = ['--profile', SIMULATOR_PROFILE, ...targetOptions(hostile)]
    const commands = [
      ['run', ...target, '--only', 'RDS,LIF-01,VER-02,ERR-01,RSP-01,GRD-01', '--report', folder],
      ['explore', ...target, '--calls', '40', '--seed', '3', '--report', folder],
      ['show', folder],
      ['regrade', folder, '--report', join(other, 'again')],
      ['verify', folder],
      ['cleanup', folder, '--dry-run'],
      ['scout', '--profile', profile, ...targetOptions(hostile), '--tier', '3', '--write'],
      ['diff', profile, ...targetOptions(hostile)],
    ]
    const told: [string, string][] = []
    for (const [name = '', ...args] of commands) {
      ;[echo, first] = [chosen, undefined]
      const { code, out, err } = await runCertifyInProcess(name, ...args)
      expect(code, err).not.toBe(2)
      told.push([`${name}: out`, out], [`${name}: err`, err])
    }
    told.push(['profile', readFileSync(profile, 'utf8')])
    const texts = [...told, ...filesIn(folder), ...filesIn(join(other, 'again'))]
    expect(texts.join()).toContain('[hidden')
    expect(texts.join()).not.toContain('HPE_')
    expect({ leaks: leaksIn(texts), long: longIn(texts) }).toEqual({ leaks: [], long: [] })
  },
  LIMIT,
)

// The last test: a run in a test runner cleans up after its last verdict.
test('a test runner is told no token by certifyWith', { timeout: LIMIT }, async () => {
  const told: string[] = []
  const tests: Promise<unknown>[] = []
  const context = { skip: (note = '') => told.push(note) }
  ;[echo, first] = [ECHOES['the reasonCode and message of each refusal'], undefined]
  certifyWith({
    profile: simulatorProfileAt(hostile),
    only: ['RDS-03'],
    describe: (_, members) => members(),
    it: (_, run) => tests.push(run(context).catch(error => told.push(error.stack))),
  })
  await Promise.all(tests)
  expect(told.join()).toContain('reasonCode Bearer [hidden')
  expect(leaksIn([['told', told.join()]])).toEqual([])
})
