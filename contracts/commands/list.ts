import { parseNames, selectChecks } from '../harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY } from './chosen-profile-and-checks.ts'
import { printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `assay certify list`: prints the checks in the order in which they run. */
export const subcommand: Subcommand = {
  usage: 'list [--only IDS]',
  description: `
Lists the checks in the order in which they run, each with its tier and its clause. Makes no call.

  assay certify list --only IDM-16     this one and the controls that it needs`,
  options: ['only', 'json'],
  execute: async values => {
    const chosen = selectChecks(CHECK_REGISTRY, parseNames(values.only))
    const rows = CHECK_SCENARIOS.flatMap(({ name, tier, checks }) =>
      checks.map(check => ({
        id: check.id,
        tier: check.tier ?? tier,
        clause: check.clause,
        title: check.title,
        journey: name,
      })),
    ).filter(({ id }) => chosen.has(id))
    printResult(
      values,
      () => rows,
      () => rows.map(({ id, tier, title, clause }) => `${id.padEnd(9)}T${tier}  ${title} (${clause})\n`).join(''),
    )
    return 0
  },
}
