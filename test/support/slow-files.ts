import { byLot } from './lot.ts'

/** Files whose proofs take long, mostly in a browser: some of them in a usual run, all in `npm run proof`. */
const SLOW = [
  'test/browser/blik-choices.test.ts',
  'test/browser/blik-phone.test.ts',
  'test/browser/iris-languages.test.ts',
  'test/browser/iris-pages.test.ts',
  'test/browser/iris-slow-bank.test.ts',
  'test/browser/lab.test.ts',
  'test/browser/lint-checkout.test.ts',
  'test/browser/portal-conduct.test.ts',
  'test/browser/portal-live-pages.test.ts',
  'test/browser/portal-pages.test.ts',
  'test/browser/portal-webhooks.test.ts',
  'test/command/bench.test.ts',
  'test/command/seed.test.ts',
  'test/command/soak.test.ts',
  'test/conduct/drill-command.test.ts',
  'test/conduct/good-shops.test.ts',
  'test/conformance/hard-targets.test.ts',
  'test/conformance/hostile-transport.test.ts',
  'test/conformance/oddities.test.ts',
  'test/conformance/spellings.test.ts',
  'test/conformance/varied-simulator.test.ts',
  'test/container/build.test.ts',
  'test/container/my-shop-page.test.ts',
  'test/docs/keys-and-certificates.test.ts',
  'test/lab/over-control.test.ts',
  'test/lab/search.test.ts',
  'test/lab/single-deviations.test.ts',
  'test/outages/outages.test.ts',
  'test/replicas/proxied.test.ts',
  'test/security/hostile-fields.test.ts',
  'test/security/regex.test.ts',
  'test/simulator/full-disk.test.ts',
  'test/simulator/trouble-at-start.test.ts',
  'test/simulator/variety-borne.test.ts',
]

/** Those that the lot has left out. Whoever names a file gets it, and so does whoever drew no lot. */
export const leftOut = (): readonly string[] => {
  if (process.env.ASSAY_LOT === undefined) return []
  const drawn = byLot(SLOW, 7)
  return SLOW.filter(file => !drawn.includes(file))
}
