import { html } from 'hono/html'
import type { Html } from './layout.ts'
import { decimal } from './money-and-date-format.ts'
import type { Say } from './text-lookup-by-language.ts'

/**
 * An organization as pages show it, with the time of its clock, in epoch milliseconds; `rate` is 0 where frozen, 1 at
 * real pace. `seen` is its position in the stream of changes; `isSignedIn` whether a control token was shown, which can be forgotten again.
 */
export type OrganizationView = {
  organizationId: string
  now: number
  rate?: number
  seen?: string
  isSignedIn?: boolean
}

/** The feature of the simulator by which pages show the clock of an organization. */
export type OrganizationClocks = {
  now: (organizationId: string) => number
  rate: (organizationId: string) => number
}

/** Returns an organization together with its clock, for a page. */
export const withClock = <Organization extends { organizationId: string }>(
  { now, rate }: OrganizationClocks,
  organization: Organization,
): Organization & OrganizationView => {
  const { organizationId } = organization
  return { ...organization, now: now(organizationId), rate: rate(organizationId) }
}

/** Returns the HTML tag for a clock that is frozen, or faster or slower than real time; empty at real pace. */
export const clockRate = (say: Say, rate = 1): Html | '' =>
  rate === 1
    ? ''
    : html` <span class="tag late" data-testid="clock-pace">${rate === 0 ? say('clockFrozen') : say('clockScaled', { rate: decimal(rate, say.language) })}</span>`
