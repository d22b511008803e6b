import type { Journey } from '../harness/check.ts'
import { UNSTATED } from '../protocol/reason-codes.ts'
import { withHeader, withOneCharacterChanged, without } from './alter.ts'
import { type Probe, probing } from './probe.ts'
import { tokenAnswer } from './token-answer.ts'
import { askToken, readStatus } from './vehicles.ts'
import type { World } from './world.ts'

const edited = (change: Record<string, string | undefined>) => (world: World) => {
  const form = { ...world.merchant.tokenForm('payments:read'), ...change }
  const kept = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return askToken(world, {}, Object.fromEntries(kept))
}

// biome-ignore format: a table reads by its columns
const REFUSED: Probe[] = [
  { id: 'TOK-10', clause: '4',      title: 'a token request in JSON is refused', basis: 'assumed', decisions: ['D-16'], control: 'TOK-01', refused: { or: UNSTATED.type },
    send: ({ merchant }) => merchant.request('token', { json: merchant.tokenForm('payments:read') }) },
  { id: 'TOK-11', clause: '4',      title: 'a grant_type other than client_credentials is refused', basis: 'assumed', decisions: ['D-45'], control: 'TOK-01', refused: {},
    send: edited({ grant_type: 'password' }) },
  { id: 'TOK-12', clause: '4',      title: 'an unknown client_id is refused', basis: 'assumed', decisions: ['D-57'], control: 'TOK-01', refused: {},
    send: edited({ client_id: 'nobody-of-this-name' }) },
  { id: 'TOK-14', clause: '4, 5',   title: 'an unsigned token call: 401', control: 'TOK-01', refused: { status: 401 },
    send: world => askToken(world, { afterSigning: draft => without('signature')(without('signature-input')(draft)) }) },
  { id: 'TOK-15', clause: '4, 5.2', title: 'a token call with a broken signature: 401', control: 'TOK-01', refused: { status: 401, code: '4' },
    send: world => askToken(world, { afterSigning: withHeader('signature', withOneCharacterChanged) }) },
  { id: 'TOK-20', clause: '4',      title: 'a token call works without Idempotency-Key', control: 'TOK-01',
    send: world => edited({ scope: undefined })(world) },
]

const lacking: Journey<World, 'client' | 'grant'> = {
  name: 'a token call that lacks a field',
  tier: 1,
  play: async (world, keep) => {
    await keep('client', edited({ client_id: undefined })(world))
    await keep('grant', edited({ grant_type: undefined })(world))
  },
  checks: [
    {
      id: 'TOK-21',
      clause: '7.1',
      title: 'a token call without client_id or without grant_type: 400',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('client'), { status: 400 })
        expect.refused(evidence.of('grant'), { status: 400 })
      },
    },
  ],
}

const reuse: Journey<World, 'first' | 'again' | 'other' | 'afterwards'> = {
  name: 'tokens used again',
  tier: 1,
  play: async (world, keep) => {
    const token = await world.merchant.tokenFor()
    await keep('first', readStatus(world, { token }))
    await keep('again', readStatus(world, { token }))
    await keep('other', askToken(world, {}, world.merchant.tokenForm('payments:read payments:process')))
    await keep('afterwards', readStatus(world, { token }))
  },
  checks: [
    {
      id: 'TOK-16',
      clause: '5.3',
      title: 'one token serves many requests',
      judge: (evidence, expect) => {
        expect.served(evidence.of('first'))
        expect.served(evidence.of('again'))
      },
    },
    {
      id: 'TOK-17',
      clause: '5.3',
      title: 'a second token does not end the first',
      basis: 'assumed',
      decisions: ['D-58'],
      control: 'TOK-16',
      judge: (evidence, expect) => {
        expect.served(evidence.of('other'))
        expect.served(evidence.of('afterwards'))
      },
    },
  ],
}

/** The token endpoint and the life of its tokens (2.8, 4, 5.3). */
export const token = {
  answers: [tokenAnswer, probing({ name: 'token calls gone wrong', tier: 1 }, REFUSED), lacking],
  reuse: [reuse],
}
