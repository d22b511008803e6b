import type { Page } from 'playwright'
import { portalPaths } from '../hosted-pages/portal/portal-paths.ts'
import { paths } from '../hosted-pages/shopper-paths.ts'
import type { ScreenshotSandbox } from '../test/support/screenshot-sandbox.ts'

/** Prepares a browser page for a screenshot. */
type Shot = (on: { scene: ScreenshotSandbox; page: Page; show: (path: string) => Promise<unknown> }) => Promise<unknown>

export type Screenshot = { name: string; width: number; height: number; dark?: boolean; shots: readonly Shot[] }

const PHONE = { width: 360, height: 780 }
const PORTAL = { width: 1280, height: 860 }
const DESK = { width: 1100, height: 800 }

const atBank =
  (name: 'bank' | 'accounts' | 'account'): Shot =>
  async ({ scene, show }) => {
    const { path } = await scene.redirected()
    const redirectId = path.split('/').at(-1) ?? ''
    const bank = paths.bank(redirectId, 'meltemi')
    return show({ bank, accounts: `${bank}/accounts?user=Maria`, account: `${bank}/accounts/current?user=Maria` }[name])
  }

/** Screenshots of the docs, by file name. */
export const SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'blik',
    ...PHONE,
    shots: [
      ({ scene, show }) => show(scene.phone),
      async ({ scene, show }) => show(await scene.code()),
      async ({ scene, show }) => show((await scene.pushed()).path),
      async ({ scene, show }) => {
        const { path, transactionId } = await scene.pushed()
        await scene.operator.shopper.act(scene.organizationId, transactionId, 'approve')
        await show(path)
      },
    ],
  },
  { name: 'iris', ...DESK, dark: true, shots: [async ({ scene, show }) => show((await scene.redirected()).path)] },
  {
    name: 'iris-bank',
    ...PHONE,
    shots: [
      atBank('bank'),
      atBank('accounts'),
      atBank('account'),
      async ({ scene, show }) => {
        const { path, transactionId } = await scene.redirected()
        await scene.operator.shopper.act(scene.organizationId, transactionId, 'approve', { after: 20_000 })
        await show(path)
      },
    ],
  },
  {
    name: 'journal',
    ...PORTAL,
    shots: [
      async ({ scene, show }) => {
        const transactionId = await scene.settled()
        const about = {
          processingAccountId: scene.processingAccountId,
          clientTransactionId: 'opera-back',
          transactionId,
        }
        await scene.merchant.refund({ ...about, paymentDetails: { amount: 4_999, description: 'One seat less' } })
        await scene.merchant.cancel(about)
        await scene.merchant.events(transactionId)
        await scene.merchant.status('no-such-payment')
        await scene.redirected()
        await show(portalPaths.journal(scene.organizationId))
      },
    ],
  },
  {
    name: 'timeline',
    ...PORTAL,
    shots: [async ({ scene, show }) => show(portalPaths.payment(scene.organizationId, await scene.settled()))],
  },
]
