import fc from 'fast-check'
import type { RawRequest } from '../../support/create-signed-raw-request.ts'
import { exchangeRaw } from '../../support/raw-http.ts'
import { editedJson } from '../edited-json.ts'
import { editedText } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { apiResponseProblem } from '../response-checks.ts'
import { BODYLESS_TARGETS, VALID_REQUESTS } from '../seed-api-requests.ts'

type Input = { target: string; type: string; key: string; body: string }

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const TOKEN = 'grant_type=client_credentials&client_id=demo-merchant&scope=payments%3Aprocess+data%3Areports'

const asked = fc.constantFrom(...VALID_REQUESTS).chain(({ target, body }) =>
  fc.record({
    target: fc.constant(target),
    type: fc.constant(JSON_TYPE),
    key: fc.constantFrom('same', ...Array.from({ length: 60 }, (_, at) => `key-${at}`)),
    body: editedJson([body], [], ['paymentToken', 'steps', 'data']),
  }),
)

const addressed = fc.record({
  target: editedText([...BODYLESS_TARGETS, ...VALID_REQUESTS.map(({ target }) => target)]).map(
    text => `/${text.replaceAll(/[^!-~]|^\//g, '')}`,
  ),
  type: fc.constantFrom(JSON_TYPE, FORM, ''),
  key: fc.constant('key'),
  body: fc.constantFrom('', '{}'),
})

const token = fc.record({
  target: fc.constant('/auth/token'),
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constant(FORM) },
    editedText([FORM, 'multipart/form-data; boundary=x', JSON_TYPE]).map(text => text.replaceAll(/[^ -~]/g, '')),
  ),
  key: fc.constant('key'),
  body: editedText(
    [TOKEN, `${TOKEN}&client_secret=x&scope=`],
    ['%', '%zz', '&', '=', '&&', '&scope=', '&grant_type=', '+', '%00', '%C3%28', '&__proto__=1'],
  ),
})

/** Fuzz target: API request bodies, targets and token forms, without security layers. */
export const apiBodies = fuzzTarget<Input>({
  name: 'bodies',
  sends: 'JSON bodies, addresses and token forms to every call of the API',
  inputs: fc.oneof(
    { weight: 6, arbitrary: asked },
    { weight: 2, arbitrary: addressed },
    { weight: 1, arbitrary: token },
  ),
  covers: [
    'simulator/http/create-operation-handler.ts',
    'simulator/http/token-endpoint.ts',
    'simulator/operations/*.ts',
    'simulator/providers/*.ts',
    'simulator/scenarios/select-scenario.ts',
    'simulator/scenarios/compare-call-with-mock.ts',
    'simulator/scenarios/create-scripted-response.ts',
  ],
  few: 80,
  open: async fixture => {
    const sandbox = await fixture.open()
    const port = Number(new URL(sandbox.simulator.plainUrl ?? '').port)
    return async ({ target, type, key, body }) => {
      const bytes = Buffer.from(body)
      const message: RawRequest = {
        method: body === '' ? 'GET' : 'POST',
        target,
        headers: [
          ['Host', 'localhost'],
          ['Idempotency-Key', key],
          ['Accept-Signature', 'service_sig=("@status")'], // without it, nothing is signed here (D-70)
          ...(type === '' ? [] : [['Content-Type', type] as [string, string]]),
          ...(body === '' ? [] : [['Content-Length', String(bytes.length)] as [string, string]]),
        ],
        body: bytes,
      }
      const [answer] = (await exchangeRaw(port, message, { plain: true })).answers
      return answer ? apiResponseProblem(answer, sandbox) : 'there is no response'
    }
  },
})
