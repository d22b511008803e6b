import type { Exchange } from '../client/exchange.ts'
import { nowSeconds } from '../client/real-time.ts'
import type { Journey } from '../harness/check.ts'
import { ENCODINGS } from '../protocol/ecdsa-encoding.ts'
import { READINGS } from '../protocol/signature-base.ts'
import { withHeader } from './alter.ts'
import { askToken, readStatus } from './vehicles.ts'
import type { World } from './world.ts'

/** Ages of `created` to try, in seconds; a negative one lies ahead. */
const AGES = [-3600, -120, -30, 30, 240, 600, 3600] as const

type Step =
  | `${(typeof READINGS)[number] | (typeof ENCODINGS)[number] | `age ${(typeof AGES)[number]}`}`
  | 'beside'
  | 'once'
  | 'twice'

const served = ({ answer }: Exchange): boolean => answer !== undefined && answer.status < 300

/** What a deployment accepts where the document can be read in more than one way; seen, never judged (5.2, C7). */
export const signatureDialect: Journey<World, Step> = {
  name: 'which signatures are understood',
  tier: 1,
  play: async (world, keep) => {
    for (const reading of READINGS) await keep(reading, askToken(world, { signing: { reading } }))
    for (const encoding of ENCODINGS) await keep(encoding, askToken(world, { signing: { encoding } }))
    const now = nowSeconds()
    for (const age of AGES) await keep(`age ${age}`, askToken(world, { signing: { created: now - age } }))
    const foreign = (value: string) => withHeader('signature', old => `${old}, other=:${value}:`)
    await keep('beside', askToken(world, { afterSigning: foreign('AAAA') }))
    const { request } = await keep('once', readStatus(world))
    await keep('twice', world.merchant.transport.exchange(request))
  },
  checks: [
    {
      id: 'SIG-30',
      clause: '5.2',
      title: 'how old and how far ahead created may be',
      basis: 'assumed',
      observes: true,
      judge: evidence => {
        const fine = AGES.filter(age => served(evidence.of(`age ${age}`)))
        return `accepted ages in seconds: ${fine.join(', ') || 'none'} of ${AGES.join(', ')}`
      },
    },
    {
      id: 'SIG-36',
      clause: '5.2',
      title: 'a second, foreign label beside ours',
      basis: 'assumed',
      observes: true,
      judge: evidence => (served(evidence.of('beside')) ? 'accepted' : 'refused'),
    },
    {
      id: 'SIG-37',
      clause: '5.2',
      title: 'the same signed read sent twice',
      basis: 'assumed',
      observes: true,
      judge: evidence => (served(evidence.of('twice')) ? 'accepted' : 'refused'),
    },
    {
      id: 'SIG-40',
      clause: '5.2',
      title: "whether the base's last line holds the label",
      basis: 'assumed',
      observes: true,
      judge: evidence =>
        `accepted readings: ${READINGS.filter(reading => served(evidence.of(reading))).join(', ') || 'none'}`,
    },
    {
      id: 'SIG-41',
      clause: '5.2',
      title: 'how the bytes of a signature are laid out',
      basis: 'assumed',
      observes: true,
      judge: evidence =>
        `accepted encodings: ${ENCODINGS.filter(encoding => served(evidence.of(encoding))).join(', ') || 'none'}`,
    },
  ],
}
