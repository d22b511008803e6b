import { randomUUID } from 'node:crypto'
import { withHeader, withOneCharacterChanged } from './alter.ts'
import { type Probe, probing } from './probe.ts'
import { readStatus } from './vehicles.ts'

// biome-ignore format: a table reads by its columns
const BEARER: Probe[] = [
  { id: 'BRR-01', clause: '7.3', title: 'no Authorization header: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: world => readStatus(world, { token: null }) },
  { id: 'BRR-02', clause: '7.3', title: 'a nonsense bearer value: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: world => readStatus(world, { token: 'nonsense' }) },
  { id: 'BRR-03', clause: '7.3', title: 'another scheme than Bearer: 401 and 4970', control: 'MTLS-01', refused: { status: 401, code: '4970' },
    send: world => readStatus(world, { beforeSigning: withHeader('authorization', old => old.replace('Bearer', 'Basic')) }) },
  { id: 'BRR-04', clause: '7.1', title: 'a real token with one character changed: 401', control: 'MTLS-01', refused: { status: 401 },
    send: async world => readStatus(world, { token: withOneCharacterChanged(await world.merchant.tokenFor()) }) },
  { id: 'BRR-05', clause: '5',   title: 'no token and a bad body: 401, not 400', control: 'MTLS-01', refused: { status: 401 },
    send: async ({ merchant }) => {
      await merchant.request('search', { json: { clientTransactionId: `nobody-${randomUUID()}` } })
      return merchant.request('search', { bytes: Buffer.from('{') }, { token: null })
    } },
]

/** Use of the bearer token (5, 7.3). */
export const bearer = [probing({ name: 'the bearer token', tier: 1 }, BEARER)]
