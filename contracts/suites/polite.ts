import { setTimeout as pause } from 'node:timers/promises'
import type { Journey } from '../harness/check.ts'
import { unknownId } from './given.ts'
import type { World } from './world.ts'

const POLLS = ['first', 'second', 'third', 'fourth', 'fifth'] as const

/** Asks for a status as often as the deployment says that it may be asked (6, S27). */
export const polite: Journey<World, (typeof POLLS)[number]> = {
  name: 'polling at a polite pace',
  tier: 1,
  needs: ['limits.pollSeconds'],
  play: async ({ merchant, profile }, keep) => {
    const path = { transactionId: unknownId(profile) }
    for (const poll of POLLS) {
      await keep(poll, merchant.request('status', { path }, { retry: [] }))
      await pause((profile.limits?.pollSeconds ?? 0) * 1000)
    }
  },
  checks: [
    {
      id: 'LIM-04',
      clause: '6',
      title: 'polling at the pace of the profile draws no 429',
      basis: 'assumed',
      decisions: ['D-66'],
      judge: (evidence, expect) => {
        for (const poll of POLLS.map(evidence.of))
          expect.holds(poll.answer?.status !== 429, 'no 429', expect.described(poll), poll)
      },
    },
  ],
}
