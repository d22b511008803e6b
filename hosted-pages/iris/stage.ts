import type { ShopperView } from '../port.ts'

/** Where a payment stands at the bank: once the shopper has confirmed, a slow bank may still be at work. */
export const stageOf = ({ outcome, confirming }: ShopperView) =>
  outcome === 'waiting' && confirming ? 'confirming' : outcome

export type Stage = ReturnType<typeof stageOf>
