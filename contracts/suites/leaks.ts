import type { Exchange } from '../client/exchange.ts'
import type { Journey } from '../harness/check.ts'
import { every } from './transcript.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

/** What a request shows that no answer may repeat: its bearer token, its one-time code. */
const secretsOf = ({ request }: Exchange): string[] => {
  const token = /^Bearer (.{16,})$/.exec(request.headers.authorization ?? '')?.[1]
  const text = Buffer.from(request.body ?? []).toString('utf8')
  const codes = [...text.matchAll(/"oneTimeCode":("[^"]+")/g)].map(([, code = '']) => code)
  return [...(token === undefined ? [] : [token]), ...codes]
}

const textOf = ({ answer }: Exchange): string =>
  answer === undefined ? '' : `${Object.values(answer.headers).join('\n')}\n${answer.body.toString('utf8')}`

/** Private keys and certificates have a form of their own. */
const PEM = /-----BEGIN [A-Z ]+-----/

/** Judged over the whole run, so that it is played near its end. */
export const leaks: Journey<World, 'token'> = {
  name: 'what answers repeat',
  tier: 1,
  play: (world, keep) => keep('token', askToken(world)),
  checks: [
    {
      id: 'ERR-17',
      clause: '7',
      title: 'no answer of the run repeats a token, a key, a one-time code or a certificate',
      basis: 'assumed',
      decisions: ['D-53'],
      control: 'TOK-01',
      judge: (evidence, expect) =>
        every(
          evidence,
          'answer',
          () => true,
          exchange => {
            const told = textOf(exchange)
            const repeated = secretsOf(exchange).some(secret => told.includes(secret)) || PEM.test(told)
            expect.holds(!repeated, 'nothing secret in an answer', 'what was sent with the request', exchange)
          },
        ),
    },
  ],
}
