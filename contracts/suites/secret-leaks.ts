import { type Exchange, isServed, jsonOf } from '../client/http-exchange.ts'
import { valueAtPointer } from '../dialect/json-pointer.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { requestPointer } from '../harness/profile/create-request-dialect.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { CheckContext } from './context/check-context.ts'
import { judgeEvery } from './evidence/judge-whole-transcript.ts'
import { requestToken } from './given/harmless-calls.ts'

/** Returns what a request holds that no response may contain: its bearer token, its one-time code. */
const secretsOf = ({ request: { endpoint, headers, body } }: Exchange, profile: Profile): string[] => {
  const token = /^Bearer (.{16,})$/.exec(headers.authorization ?? '')?.[1]
  const pointer = endpoint && requestPointer(profile, endpoint, 'payerDetails.oneTimeCode')
  const code = pointer && valueAtPointer(jsonOf(body), pointer)
  return [token ?? [], typeof code === 'string' && code !== '' ? JSON.stringify(code) : []].flat()
}

const textOf = ({ response }: Exchange): string =>
  response === undefined ? '' : `${Object.values(response.headers).join('\n')}\n${response.body.toString('utf8')}`

/** The PEM header of a key or certificate. */
const PEM = /-----BEGIN [A-Z ]+-----/

/** Scenario with checks that no response of the run repeats a secret (7); runs near the end. */
export const secretLeaks: CheckScenario<CheckContext, 'token'> = {
  name: 'secrets in responses',
  tier: 1,
  play: (context, keep) => keep('token', requestToken(context)),
  checks: [
    {
      id: 'ERR-17',
      clause: '7',
      title: 'no response of the run repeats a token, a key, a one-time code or a certificate',
      ...assumed('D-53'),
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const secrets = new Set(evidence.transcript.filter(isServed).flatMap(it => secretsOf(it, expect.profile)))
        judgeEvery(
          evidence,
          expect,
          'answer',
          () => true,
          exchange => {
            const text = textOf(exchange)
            const isRepeated = secretsOf(exchange, expect.profile).some(
              secret => secrets.has(secret) && text.includes(secret),
            )
            expect.holds(!isRepeated && !PEM.test(text), 'no secret in a response', 'what was sent', exchange)
          },
        )
      },
    },
  ],
}
