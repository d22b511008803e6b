import { connectSandbox, type Sandbox } from '../../fixtures/sandbox.ts'
import { freePort } from '../../test/support/postgres.ts'
import { startAssay } from '../servers.ts'
import { connectInspector, type Inspector } from './inspector.ts'
import { DAYS, runLap, type Scene } from './lap.ts'
import { openReceiver } from './receiver.ts'
import { look, type Rows, type Sample } from './sample.ts'
import { judge, type Soak } from './verdict.ts'

export type Wish = {
  dataDir: string
  /** Both are limits: whichever comes first ends it. */
  seconds: number
  laps: number
  /** What `--keep-payments` is to say; for ever where absent. */
  keepPayments: string | undefined
  tell(sample: Sample): void
}

/** A signing key ends after a year of its organization's clock (5.2): somebody else takes over before. */
const LAPS_OF_A_KEY = Math.floor(360 / DAYS)

/** So many looks at most: each of them stops the load for a moment. */
const MOST_LOOKS = 120

/** Loads a sandbox in a process of its own, started as people start it, lap after lap until the time is up, and judges what it saw. */
export const soak = async ({ dataDir, seconds, laps: mostLaps, keepPayments, tell }: Wish): Promise<Soak> => {
  const inspected = await freePort()
  const options = `--inspect=127.0.0.1:${inspected} --inspect-publish-uid=http`
  const kept = keepPayments === undefined ? [] : ['--keep-payments', keepPayments]
  const assay = await startAssay(dataDir, kept, { NODE_OPTIONS: options })
  const receiver = await openReceiver()
  let inspector: Inspector | undefined
  try {
    inspector = await connectInspector(inspected)
    const sandbox = connectSandbox({ url: `http://localhost:${assay.pagesPort}` })
    let scene = await moveIn(sandbox, receiver.url)
    const samples: Sample[] = []
    const rows: Rows[] = []
    const begun = performance.now()
    const elapsed = () => (performance.now() - begun) / 1000
    const pause = Number.isFinite(seconds) ? seconds / MOST_LOOKS : 0
    for (let laps = 1, payments = 0; elapsed() < seconds && laps <= mostLaps; laps += 1) {
      if (laps % LAPS_OF_A_KEY === 0) scene = await moveIn(sandbox, receiver.url, scene)
      payments += await runLap(scene, laps)
      if (elapsed() < samples.length * pause) continue
      const { rows: counted, ...seen } = await look({ assay, inspector, dataDir })
      samples.push({ seconds: elapsed(), laps, days: laps * DAYS, payments, ...seen })
      rows.push(counted)
      tell(samples.at(-1) as Sample)
    }
    scene.merchant.close()
    return judge(samples, rows)
  } finally {
    inspector?.close() // a process does not end while somebody looks into it
    receiver.close()
    await assay.stop()
  }
}

/** An organization to load, in the place of another. */
const moveIn = async (sandbox: Sandbox, receiver: string, before?: Scene): Promise<Scene> => {
  before?.merchant.close()
  await before?.organization.remove()
  const organization = await sandbox.create()
  await organization.webhooks.sendTo(receiver)
  return { sandbox, organization, merchant: organization.merchant() }
}
