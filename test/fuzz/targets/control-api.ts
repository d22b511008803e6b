import fc from 'fast-check'
import { descriptionMismatches } from '../../support/control-description.ts'
import { type RawRequest, serializeRequest } from '../../support/create-signed-raw-request.ts'
import { createCertificateRequest, newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { exchangeRaw, openConnection, type RawResponse } from '../../support/raw-http.ts'
import { identityOf, irisInitiateBody } from '../../support/raw-request-sandbox.ts'
import { editedJson } from '../edited-json.ts'
import { type FuzzFixture, reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { HOSTILE_TEXTS } from '../hostile-values.ts'
import { collectResponses } from '../read-http-responses.ts'
import { sentenceProblem } from '../response-checks.ts'
import { type ControlCall, VALID_CONTROL_CALLS } from '../valid-control-calls.ts'

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
    names: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant('') }, fc.constantFrom(...HOSTILE_TEXTS)), {
      minLength: 2,
      maxLength: 2,
    }),
    query:
      query.length === 0
        ? fc.constant([])
        : fc.array(fc.tuple(fc.constantFrom(...query), fc.constantFrom(...QUERIES, ...HOSTILE_TEXTS)), {
            maxLength: 3,
          }),
    body: bodies.length === 0 ? fc.constantFrom('', '', '{}', '{"a":1}', '[') : editedJson(bodies, VALUES),
  })

/** Fuzz target: every control operation; responses match the OpenAPI description, messages are readable, no unexpected errors. */
export const controlApi = fuzzTarget<Input>({
  name: 'control',
  sends: `all ${VALID_CONTROL_CALLS.length} calls of control with other paths, queries and bodies`,
  inputs: fc.constantFrom(...VALID_CONTROL_CALLS).chain(inputsOf),
  covers: [
    'simulator/control/*.ts',
    'simulator/{organizations,installation,shoppers,timeline,reports,conduct,signature-lab}/*.ts',
  ],
  few: 60,
  open: async fixture => {
    const { sandbox, idsNow } = await ourOrganization(fixture)
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
        : (await exchangeRaw(sandbox.pagesPort, message, { plain: true })).answers
      if (!answer) return isEndless(path) ? reportedErrors(sandbox) : 'there is no response'
      const text = answer.body.toString()
      const fault =
        reportedErrors(sandbox) ?? (answer.status >= 500 ? `status ${answer.status}: ${text.slice(0, 200)}` : undefined)
      if (fault || !text || answer.header('transfer-encoding')) return fault
      if (answer.status >= 400) return sentenceProblem((JSON.parse(text) as { error: unknown }).error)
      if (!/json/.test(answer.header('content-type') ?? '')) return undefined
      return descriptionMismatches({ method, target, sent: '', status: answer.status, body: text })[0]
    }
  },
})

const isEndless = (path: string): boolean => path.endsWith('/stream')

/** The first part of a streaming response. */
const begun = (port: number, message: RawRequest): Promise<readonly RawResponse[]> => {
  const socket = openConnection(port, { plain: true })
  socket.write(serializeRequest(message))
  return collectResponses(socket, true, 100)
}

/** A text as a path or query can carry it; half a character has no octets. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** An organization with one record of every kind, created again where a call has deleted it. */
const ourOrganization = async (fixture: FuzzFixture) => {
  const sandbox = await fixture.open()
  const { controlPlane: operator, kit } = sandbox.simulator
  const made = async (): Promise<Record<string, string>> => {
    const own = { ...kit, ...(await operator.organizations.create(OURS)) }
    const body = Buffer.from(JSON.stringify(irisInitiateBody({ processingAccountId: `${OURS}-account-1` })))
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
    const { fingerprint } = await operator.certificates.issue(
      OURS,
      await createCertificateRequest(newKeyPair().privateKey),
    )
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
  const isThere = async () =>
    (await operator.organizations.list()).some(({ organizationId }) => organizationId === OURS)
  const idsNow = async () => {
    if (!(await isThere())) ids = await made()
    return ids
  }
  return { sandbox, idsNow }
}
