import fc from 'fast-check'
import { disagreements } from '../../control/description.ts'
import { newPair, requestFor } from '../../support/identities.ts'
import { type Message, render } from '../../wire/message.ts'
import { identityOf, irisPayment } from '../../wire/sandbox.ts'
import { type Answer, open, talk } from '../../wire/talk.ts'
import { sentenceFaultOf } from '../api-answer.ts'
import { CONTROL_CALLS, type ControlCall } from '../control-calls.ts'
import { editedJson } from '../edited-json.ts'
import { heard } from '../heard.ts'
import { faultsOf, type House } from '../house.ts'
import { part } from '../part.ts'
import { WORDS } from '../words.ts'

/** `names` stand for what the path leaves open; one that is empty is there, whatever its id. */
type Input = { method: string; path: string; names: string[]; query: [name: string, value: string][]; body: string }

const OURS = 'fuzz'
const VALUES = [
  '"PT45S"',
  '"next"',
  '"2027-01-01T00:00:00Z"',
  '1e300',
  '"timeout"',
  '"http://127.0.0.1:9/"',
  '"http://user:x@[::1]:9/#"',
  '"file:///etc/passwd"',
  '"LOST_INITIATE"',
]
const QUERIES = [
  '1',
  '50',
  '99999',
  'APPROVED',
  '4xx',
  'PAYMENT_CAPTURE',
  '-word',
  '2026-01-01',
  'nobody',
  'PT0S',
  'P1D',
]

const inputsOf = ({ method, path, query, bodies }: ControlCall): fc.Arbitrary<Input> =>
  fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    names: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant('') }, fc.constantFrom(...WORDS)), {
      minLength: 2,
      maxLength: 2,
    }),
    query:
      query.length === 0
        ? fc.constant([])
        : fc.array(fc.tuple(fc.constantFrom(...query), fc.constantFrom(...QUERIES, ...WORDS)), { maxLength: 3 }),
    body: bodies.length === 0 ? fc.constantFrom('', '', '{}', '{"a":1}', '[') : editedJson(bodies, VALUES),
  })

/** Every call that control's description tells of: described answers, sentences for people, no faults. */
export const control = part<Input>({
  name: 'control',
  sends: `all ${CONTROL_CALLS.length} calls of control with other paths, queries and bodies`,
  inputs: fc.constantFrom(...CONTROL_CALLS).chain(inputsOf),
  covers: ['simulator/control/*.ts', 'simulator/operator/*.ts'],
  few: 60,
  open: async house => {
    const { sandbox, idsNow } = await ourOrganization(house)
    return async ({ method, path, names, query, body }) => {
      const ids = await idsNow()
      const rest = [...names]
      const way = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(rest.shift() || (ids[name] ?? 'nothing')))
      const wait = way.endsWith('/wait')
        ? [...query.filter(([name]) => name !== 'atMost'), ['atMost', 'PT0S'] as const]
        : query
      const search = wait.map(([name, value]) => `${name}=${encoded(value)}`).join('&')
      const target = `${way}${search && '?'}${search}`
      const bytes = Buffer.from(body)
      const headers: [string, string][] = [
        ['Host', 'localhost'],
        ['Content-Length', String(bytes.length)],
      ]
      const message = { method, target, headers, body: bytes }
      const [answer] = isEndless(path)
        ? await begun(sandbox.pagesPort, message)
        : (await talk(sandbox.pagesPort, message, { plain: true })).answers
      if (!answer) return isEndless(path) ? faultsOf(sandbox) : 'there is no answer'
      const text = answer.body.toString()
      const fault =
        faultsOf(sandbox) ?? (answer.status >= 500 ? `status ${answer.status}: ${text.slice(0, 200)}` : undefined)
      if (fault || !text || answer.header('transfer-encoding')) return fault
      if (answer.status >= 400) return sentenceFaultOf((JSON.parse(text) as { error: unknown }).error)
      if (!/json/.test(answer.header('content-type') ?? '')) return undefined
      return disagreements({ method, target, sent: '', status: answer.status, body: text })[0]
    }
  },
})

const isEndless = (path: string): boolean => path.endsWith('/stream')

/** What is said at once of an answer that has no end. */
const begun = (port: number, message: Message): Promise<readonly Answer[]> => {
  const socket = open(port, { plain: true })
  socket.write(render(message))
  return heard(socket, true, 100)
}

/** A text as a path or query can carry it; half a character has no octets. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** An organization with one of everything, made anew where a call has taken it away. */
const ourOrganization = async (house: House) => {
  const sandbox = await house.open()
  const { operator, kit } = sandbox.simulator
  const made = async (): Promise<Record<string, string>> => {
    const own = { ...kit, ...(await operator.organizations.create(OURS)) }
    const body = Buffer.from(JSON.stringify(irisPayment({ processingAccountId: `${OURS}-account-1` })))
    const headers: [string, string][] = [
      ['Host', 'x'],
      ['Idempotency-Key', 'k'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
    ]
    const paid = await sandbox.send(
      { method: 'POST', target: '/payments/initiate', headers, body },
      { identity: identityOf(own) },
    )
    const { endpointId } = await operator.endpoints.add(OURS, { url: 'http://127.0.0.1:9/' })
    const { fingerprint } = await operator.certificates.issue(OURS, await requestFor(newPair().privateKey))
    return {
      organizationId: OURS,
      accountId: `${OURS}-account-1`,
      transactionId: (paid.json() as { transactionId: string }).transactionId,
      endpointId,
      fingerprint,
      keyId: own.signingKeys[0]?.keyId ?? '',
      name: 'LOST_INITIATE',
    }
  }
  let ids = await made()
  const isThere = async () => (await operator.list()).some(({ organizationId }) => organizationId === OURS)
  const idsNow = async () => {
    if (!(await isThere())) ids = await made()
    return ids
  }
  return { sandbox, idsNow }
}
