/** Parts of the pages, each with what it needs and no other has loaded before. */
const PARTS = [
  () => import('./page-response.ts'),
  () => import('./blik/blik-routes.ts'),
  () => import('./iris/iris-routes.ts'),
  () => import('./shop/shop-routes.ts'),
  () => import('./portal/timeline/timeline-svg-file.ts'),
  () => import('./portal/journal/journal-routes.ts'),
  () => import('./portal/payments/payment-list-and-timeline-routes.ts'),
  () => import('./portal/overview/overview-routes.ts'),
  () => import('./portal/webhooks/endpoint-routes.ts'),
  () => import('./portal/webhooks/delivery-and-inbox-routes.ts'),
  () => import('./portal/scenarios/scenario-and-mock-routes.ts'),
  () => import('./portal/conduct/conduct-and-drill-routes.ts'),
  () => import('./portal/signature-lab/signature-lab-routes.ts'),
  () => import('./portal/clock/clock-routes.ts'),
  () => import('./portal/dialect/dialect-routes.ts'),
] as const

/**
 * Loads the code of the hosted pages and the portal part by part, and gives way to the calls of others after each: at
 * once it would hold them for 130 ms.
 */
export const loadPages = async (giveWay: () => Promise<void>) => {
  for (const load of PARTS) {
    await load()
    await giveWay()
  }
  const [{ createPages }, { timelineFile }] = await Promise.all([
    import('./all-page-routes.ts'),
    import('./portal/timeline/timeline-svg-file.ts'),
  ])
  return { createPages, timelineFile }
}
